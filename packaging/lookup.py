"""A server of names that knows site.example, and a site without pages, both on 127.0.0.1. Says when they are ready."""

import fcntl
import http.server
import socket
import struct
import threading

with socket.socket() as any_socket:
    # A network of its own begins with its loop down.
    fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 1))


def names(server):
    while True:
        question, sender = server.recvfrom(2048)
        end = question.index(b"\0", 12) + 5
        known, kind = question[12:end - 4] == b"\4site\7example\0", struct.unpack(">H", question[end - 4:end - 2])[0]
        answer = b"\xc0\x0c" + struct.pack(">HHIH4B", 1, 1, 60, 4, 127, 0, 0, 1) if known and kind == 1 else b""
        head = struct.pack(">HHHHH", 0x8180 if known else 0x8183, 1, bool(answer), 0, 0)
        server.sendto(question[:2] + head + question[12:end] + answer, sender)


class Nothing(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_error(404)

    def log_message(self, *_):
        pass


resolver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
resolver.bind(("127.0.0.1", 53))
threading.Thread(target=names, args=[resolver], daemon=True).start()
site = http.server.ThreadingHTTPServer(("127.0.0.1", 80), Nothing)
print("ready", flush=True)
site.serve_forever()
