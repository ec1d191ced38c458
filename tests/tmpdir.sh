#!/bin/sh
# Prints the directory for the tests' files: TMPDIR, else a file system in memory with 4 GB to spare that runs programs, else /tmp.
# The tests write many small files, which take a fifth of their CPU time on a disk.
if [ -n "$TMPDIR" ]; then
	echo "$TMPDIR"
	exit
fi
room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
if [ "${room:-0}" -ge 4194304 ] && probe=$(mktemp -d /dev/shm/wpipe.XXXXXX 2>/dev/null); then
	printf '#!/bin/sh\n' > "$probe/runs" && chmod +x "$probe/runs" && "$probe/runs" 2>/dev/null && found=/dev/shm
	rm -r "$probe"
fi
echo "${found:-/tmp}"
