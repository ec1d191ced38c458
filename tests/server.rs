//! Runs a web server on loopback for the tests of wp-fetch: a small WordPress, and responses of each test, which take
//! precedence.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request.
pub struct Request {
    /// Path and query, as received.
    pub target: String,
    /// The whole head, in lower case.
    pub head: String,
    /// How often this target was requested before.
    pub before: usize,
}

impl Request {
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap()
    }

    /// A parameter of the query.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        let pairs = self.target.split_once('?')?.1.split('&');
        pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.parameter(name)?.parse().ok()
    }
}

/// Answers a request: `None` leaves it to WordPress, an empty response closes the connection.
pub type Answer = dyn Fn(&Request) -> Option<Vec<u8>> + Send + Sync;

/// The content of the small WordPress: posts, and one category.
#[derive(Clone, Default)]
pub struct Content {
    pub ids: Vec<i64>,
    /// Posts that are counted but not shown.
    pub hidden: Vec<i64>,
    /// The dates of posts that have been changed.
    pub modified: BTreeMap<i64, &'static str>,
    /// Posts whose address differs from `/p1/`, which redirects to `/moved/p1/`.
    pub moved: Vec<i64>,
    /// Whether each page has a French version, `/fr/p1/`, and exists only if its post does.
    pub is_strict: bool,
    /// Comments on post 1.
    pub comments: Vec<i64>,
    /// Posts whose pages do not answer.
    pub closed: Vec<i64>,
}

/// The server; it ends with the test program.
pub struct Server {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
    content: Arc<Mutex<Content>>,
}

impl Server {
    /// Serves a WordPress with these posts; `answer` is called first.
    pub fn start(content: Content, answer: impl Fn(&Request) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests = Arc::new(Mutex::new(Vec::new()));
        let content = Arc::new(Mutex::new(content));
        let (root, seen, answer, shared) = (url.clone(), requests.clone(), Arc::new(answer), content.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (root, seen, answer, content) = (root.clone(), seen.clone(), answer.clone(), shared.clone());
                std::thread::spawn(move || serve(stream.unwrap(), &root, &seen, &*answer, &content));
            }
        });
        Server { url, requests, content }
    }

    /// Serves a WordPress with the posts 1 to `posts`, without anything unusual.
    pub fn plain(posts: i64) -> Self {
        Server::start(Content { ids: (1..=posts).collect(), ..Content::default() }, |_| None)
    }

    /// Changes the content of the site.
    pub fn change(&self, change: impl FnOnce(&mut Content)) {
        change(&mut self.content.lock().unwrap());
    }

    /// The targets that were requested.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// How often targets that contain `part` were requested.
    pub fn asked(&self, part: &str) -> usize {
        self.requests().iter().filter(|target| target.contains(part)).count()
    }
}

fn serve(stream: TcpStream, root: &str, seen: &Mutex<Vec<String>>, answer: &Answer, content: &Mutex<Content>) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut stream = stream;
    loop {
        let mut head = String::new();
        loop {
            let before = head.len();
            match reader.read_line(&mut head) {
                Ok(n) if n > 0 => {}
                _ => return,
            }
            if head[before..].trim().is_empty() {
                break;
            }
        }
        let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let mut seen = seen.lock().unwrap();
        let before = seen.iter().filter(|other| **other == target).count();
        seen.push(target.clone());
        drop(seen);
        let request = Request { target, head: head.to_ascii_lowercase(), before };
        let reply = answer(&request).unwrap_or_else(|| wordpress(&request, root, &content.lock().unwrap().clone()));
        let head = &reply[..reply.len().min(4096)];
        let has = |words: &[u8]| head.windows(words.len()).any(|part| part.eq_ignore_ascii_case(words));
        let is_kept = has(b"content-length:") && !has(b"connection: close");
        if stream.write_all(&reply).is_err() || !is_kept {
            return;
        }
    }
}

/// A response with the length of its body.
pub fn reply(status: &str, headers: &str, body: &str) -> Vec<u8> {
    format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len()).into_bytes()
}

/// An error in the form that WordPress uses.
pub fn error(status: &str, code: &str) -> Vec<u8> {
    let number: u16 = status.split(' ').next().unwrap().parse().unwrap();
    let body = format!("{{\"code\":\"{code}\",\"message\":\"No.\",\"data\":{{\"status\":{number}}}}}");
    reply(status, "Content-Type: application/json\r\n", &body)
}

pub fn json(body: &str) -> Vec<u8> {
    reply("200 OK", "Content-Type: application/json; charset=UTF-8\r\n", body)
}

fn wordpress(request: &Request, root: &str, content: &Content) -> Vec<u8> {
    let path = request.path();
    match path.strip_prefix("/wp-json/") {
        Some("") => {
            json(&format!("{{\"name\":\"Test\",\"url\":\"{root}\",\"home\":\"{root}\",\"namespaces\":[\"wp/v2\"]}}"))
        }
        Some("wp/v2/types") => json("{\"post\":{\"rest_base\":\"posts\"},\"wp_block\":{\"rest_base\":\"blocks\"}}"),
        Some("wp/v2/taxonomies") => json("{\"category\":{\"rest_base\":\"categories\"}}"),
        Some("wp/v2/users") => list(request, &[], &[], &|_| String::new()),
        Some("wp/v2/comments") => list(request, &content.comments, &[], &|id| {
            format!(
                "{{\"id\":{id},\"type\":\"comment\",\"post\":1,\"author_name\":\"A\",\"link\":\"{root}/p1/#comment-{id}\"}}"
            )
        }),
        Some("wp/v2/categories") => list(request, &[1], &[], &|id| {
            format!(
                "{{\"id\":{id},\"taxonomy\":\"category\",\"link\":\"{root}/category/c{id}/\",\"name\":\"C\",\"slug\":\"c{id}\"}}"
            )
        }),
        Some("wp/v2/search") => {
            list(request, &content.ids, &content.hidden, &|id| format!("{{\"id\":{id},\"url\":\"{root}/p{id}/\"}}"))
        }
        Some("wp/v2/posts") => list(request, &content.ids, &content.hidden, &|id| post(request, root, id, content)),
        Some(route) => match route.strip_prefix("wp/v2/posts/").and_then(|id| id.parse().ok()) {
            Some(id) if content.ids.contains(&id) && !content.hidden.contains(&id) => {
                json(&post(request, root, id, content))
            }
            Some(_) => error("404 Not Found", "rest_post_invalid_id"),
            None => error("404 Not Found", "rest_no_route"),
        },
        None if path == "/" => page(&format!("Link: <{root}/wp-json/>; rel=\"https://api.w.org/\"\r\n"), "Front", ""),
        None if content.is_strict && path.contains("/p") => page_of(path, content),
        None if path.starts_with("/p") || path.starts_with("/category/") => page("", path, ""),
        None => reply("404 Not Found", "Content-Type: text/html\r\n", "<h1>Not here</h1>"),
    }
}

/// The page of a post, if it exists.
fn page_of(path: &str, content: &Content) -> Vec<u8> {
    let id: i64 = path.trim_matches('/').rsplit('/').next().unwrap()[1..].parse().unwrap();
    let place = address(id, content);
    match path {
        _ if content.closed.contains(&id) => reply("503 Service Unavailable", "Content-Type: text/html\r\n", ""),
        _ if !content.ids.contains(&id) => reply("404 Not Found", "Content-Type: text/html\r\n", ""),
        _ if path != place && path.starts_with("/p") => {
            reply("301 Moved Permanently", &format!("Location: {place}\r\n"), "")
        }
        _ => {
            let version =
                |tag: &str, place: &str| format!("<link rel=\"alternate\" hreflang=\"{tag}\" href=\"{place}\">");
            // Post 7 is the German version of post 2.
            let german = if id == 2 { version("de", "/p7/") } else { String::new() };
            page("", path, &(version("fr", &format!("/fr/p{id}/")) + &german))
        }
    }
}

fn address(id: i64, content: &Content) -> String {
    if content.moved.contains(&id) { format!("/moved/p{id}/") } else { format!("/p{id}/") }
}

/// A page of the site.
pub fn page(headers: &str, title: &str, head: &str) -> Vec<u8> {
    let body = format!(
        "<!DOCTYPE html><html lang=\"en\"><head><title>{title}</title>{head}</head><body><p>Words.</p></body></html>"
    );
    reply("200 OK", &format!("Content-Type: text/html; charset=UTF-8\r\n{headers}"), &body)
}

fn post(request: &Request, root: &str, id: i64, content: &Content) -> String {
    let modified = content.modified.get(&id).unwrap_or(&"2020-01-01T00:00:00");
    let place = address(id, content);
    let head = format!("\"id\":{id},\"link\":\"{root}{place}\",\"modified_gmt\":\"{modified}\"");
    match request.parameter("_fields") {
        Some("id") => format!("{{\"id\":{id}}}"),
        Some(_) => format!("{{{head}}}"),
        None => format!(
            "{{{head},\"type\":\"post\",\"slug\":\"p{id}\",\"title\":{{\"rendered\":\"P {id}\"}},\"content\":{{\"rendered\":\"<p>Text {id} of {modified}.</p>\"}}}}"
        ),
    }
}

/// A list as WordPress makes it: items that may not be shown are removed after the query, but the total counts them.
pub fn list(request: &Request, ids: &[i64], hidden: &[i64], item: &dyn Fn(i64) -> String) -> Vec<u8> {
    let size = request.number("per_page").unwrap_or(10);
    let page = request.number("page").unwrap_or(1);
    let mut ids = ids.to_vec();
    if let Some(include) = request.parameter("include") {
        let include: Vec<i64> = include.split(',').map(|id| id.parse().unwrap()).collect();
        ids.retain(|id| include.contains(id));
    }
    if request.parameter("orderby") != Some("id") {
        ids.reverse();
    }
    let (total, pages) = (ids.len(), ids.len().div_ceil(size));
    let start = request.number("offset").unwrap_or((page - 1) * size);
    if start >= total && page > 1 {
        return error("400 Bad Request", "rest_post_invalid_page_number");
    }
    let shown = ids.iter().skip(start).take(size).filter(|id| !hidden.contains(id));
    let items: Vec<String> = shown.map(|&id| item(id)).collect();
    let headers = format!("Content-Type: application/json\r\nX-WP-Total: {total}\r\nX-WP-TotalPages: {pages}\r\n");
    reply("200 OK", &headers, &format!("[{}]", items.join(",")))
}
