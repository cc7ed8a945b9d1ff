"""Faults in the HTTP responses for playlists, segments, and keys."""

import gzip
import re
import ssl
import subprocess
import time

from segue_tools.planted.fault import REFUSED, Table
from segue_tools.planted.server import Answer, date
from segue_tools.planted.stage import answer, before, content, text

TABLE = Table("ts")
FAULTS = TABLE.faults
add = TABLE.add
LADDER, FMP4, RANGE, AES = "ladder-ts", "fmp4", "range", "aes"
MEDIA, SEGMENT, ANY = r"index\.m3u8$", r"\.(ts|m4s)$", ""
PAGE = b"<!DOCTYPE html>\n<html><title>Error</title><body>Please log in.</body></html>\n"
DENIED = b'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code></Error>\n'
CORS = "Access-Control-Allow-Origin"


def plain(status, body=b"", type="text/plain", *fields):
    """A response that is the same for all requests."""
    return lambda request, answer: Answer(status,
                                          [("Content-Type", type), ("Content-Length", str(len(body))), (CORS, "*"),
                                                   *fields], body)


def field(name, value):
    """Changes or removes a header field."""
    def change(request, answer):
        if value is None:
            del answer[name]
        else:
            answer[name] = value(request, answer) if callable(value) else value
    return change


def on(condition, change):
    """Changes the responses to requests that fulfill a condition."""
    return lambda request, answer: change(request, answer) if condition(request) else None


def ignoring(name):
    """Hides a request header field from the server."""
    def change(request, body):
        request.headers.pop(name, None)
        return body
    return change


def ranged(request):
    return "range" in request.headers


def second(request):
    return request.count > 1


def live(stage):
    stage.text("index.m3u8", lambda text: text.replace("#EXT-X-ENDLIST\n",
                                                       "").replace("#EXT-X-PLAYLIST-TYPE:VOD\n", ""))


# Responses that do not match the request

add("playlist-is-html-page-200", "rutgersc/m3u8-rs#27", {"body-kind", REFUSED},
    answer(MEDIA, plain(200, PAGE, "text/html")))
add("segment-200-text-html", "tsduck/tsduck#1449", "body-kind", answer(r"index1\.ts$", plain(200, PAGE, "text/html")))
add("playlist-answer-201-created", "OvenMediaLabs/OvenMediaEngine#1593", "uri-resolves", answer(MEDIA, plain(201)))
add("media-playlist-500", "bluenviron/mediamtx#4343", "uri-resolves", answer(MEDIA, lambda request, answer: Answer(
    500, [("Content-Length", "0")], wait=1)))
add("child-playlist-401-during-outage", "bluenviron/mediamtx#5736", "uri-resolves", answer(MEDIA, plain(401)))
add("signed-master-403-xml", "awslabs/unicornflix#15", "uri-resolves",
    answer(MEDIA, plain(403, DENIED, "application/xml")))
add("vtt-segments-404", "kaltura/nginx-vod-module#802", "uri-resolves",
    lambda stage: [path.unlink() for path in stage.home.glob("*.vtt")], base=LADDER)
add("steering-clone-host-not-serving", "video-dev/hls.js#6759", "steering-clone",
    before("#EXT-X-STREAM-INF", '#EXT-X-CONTENT-STEERING:SERVER-URI="steer.json",PATHWAY-ID="."', "master.m3u8"),
    lambda stage: (stage.home / "steer.json").write_text(
        '{"VERSION": 1, "TTL": 300, "PATHWAY-PRIORITY": ["b", "."], "PATHWAY-CLONES": [{"BASE-ID": ".", "ID": "b",'
        ' "URI-REPLACEMENT": {"HOST": "127.0.0.1:9"}}]}'), base=LADDER)
add("playlist-names-other-streams-files", "OvenMediaLabs/OvenMediaEngine#860", {"vod-unchanged", "entity-tag-true"},
    content(
    MEDIA, lambda request, body: body.replace(b"index", b"other") if request.count > 2 else body))

# Byte ranges

add("range-answer-shorter-than-asked", "video-dev/hls.js#1830", {"content-range", "range-bounds"},
    answer(SEGMENT, on(ranged, lambda request, answer: half(answer))), base=RANGE)
add("range-ignored-200-whole-file", "video-dev/hls.js!7701", "range-206",
    content(SEGMENT, ignoring("range")), base=RANGE)
add("range-206-header-right-body-whole", "v0l/zap-stream-core!100", {"content-range", "range-bounds"},
    lambda stage: stage.site.answer(SEGMENT, on(ranged, lambda request, answer: whole(stage, request, answer))),
    base=RANGE)
add("range-403-not-satisfiable-text", "shaka-project/shaka-player#1576", "uri-resolves",
    answer(SEGMENT, on(ranged, plain(403, b'{"error": "no"}', "application/json"))), base=RANGE)
add("range-answer-error-xml-as-206", "divinevideo/divine-mobile#7168", {"body-kind", "content-range"},
    answer(SEGMENT, on(ranged, plain(
    206, DENIED, "application/xml", ("Content-Range", f"bytes 0-{len(DENIED) - 1}/{len(DENIED)}")))), base=RANGE)
add("range-206-with-gzip", "Vanilagy/mediabunny#512", "media-gzip",
    answer(SEGMENT, on(ranged, lambda request, answer: packed(answer))), base=RANGE)
add("chunked-transfer-on-206", "jonathaneoliver/infinite-streaming!138", "range-length",
    answer(SEGMENT, on(ranged, lambda request, answer: chunked(answer))), base=RANGE)
add("content-range-counts-characters-not-bytes", "just-plus-player/just-plus-player!156",
    {"last-line", "iframe-uri", "attribute-list"},

    text('NAME="Deutsch"', 'NAME="' + "Немецкий" * 8 + '"', "master.m3u8"),
    answer(r"master\.m3u8$", lambda request, answer: counted(answer)), base=LADDER)


def half(answer):
    first, last, size = map(int, re.findall(r"\d+", answer["Content-Range"] or "0-0/0"))
    answer.body = answer.body[:len(answer.body) // 2]
    answer["Content-Range"] = f"bytes {first}-{first + len(answer.body) - 1}/{size}"
    answer["Content-Length"] = str(len(answer.body))


def whole(stage, request, answer):
    if answer.status == 206:
        answer.body = (stage.home / request.path).read_bytes()
        answer["Content-Length"] = str(len(answer.body))


def packed(answer):
    answer.body = gzip.compress(answer.body)
    answer["Content-Encoding"] = "gzip"
    answer["Content-Length"] = str(len(answer.body))


def chunked(answer):
    if answer.status == 206:
        del answer["Content-Length"]
        answer["Transfer-Encoding"] = "chunked"
        answer.body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(answer.body), answer.body)


def counted(answer):
    """Sets Content-Length to the number of characters of the text, and sends as many bytes."""
    if answer["Content-Encoding"]:
        answer.body = gzip.decompress(answer.body)
        del answer["Content-Encoding"]
    answer.body = answer.body[:len(answer.body.decode())]
    answer["Content-Length"] = str(len(answer.body))


# Pages of other origins

add("cors-nowhere", "", "cors-everywhere", answer(ANY, field(CORS, None)))
add("cors-missing-on-one-segment", "", "cors-everywhere", answer(r"index2\.ts$", field(CORS, None)))
add("cors-missing-on-segments", "roflcoopter/viseron!1413", "cors-everywhere", answer(SEGMENT, field(CORS, None)))
add("cors-missing-on-playlist", "owncast/owncast!1411", "cors-everywhere", answer(r"\.m3u8$", field(CORS, None)))
add("cors-missing-on-errors", "OvenMediaLabs/OvenMediaEngine#1593", "cors-everywhere", answer(
    ANY, lambda request, answer: field(CORS, None)(request, answer) if answer.status == 404 else None))
add("cors-header-twice", "video-dev/hls.js#104", "cors-value",
    answer(ANY, lambda request, answer: answer.headers.append((CORS, "*"))))
add("cors-cached-for-other-origin", "videogular/videogular2#739", {"cors-vary", "cors-value"}, answer(
    ANY, field(CORS, lambda request, answer: request.headers.get("origin", "https://first.example"))))
add("cors-wildcard-with-credentials", "video-dev/hls.js#329", "cors-value",
    answer(r"key\.bin$", field("Access-Control-Allow-Credentials", "true")), base=AES)
add("cors-missing-on-cache-hit", "awslabs/speke-reference-server#37", "cors-everywhere",
    answer(SEGMENT, on(second, field(CORS, None))))
add("cors-origin-not-in-cache-key", "aws-solutions-library-samples/video-on-demand-on-aws#127", "cors-value",
    answer(ANY, field(CORS, "https://other.example")))
add("preflight-missing-cors", "nulib/meadow!2385", "cors-everywhere",
    answer(ANY, on(lambda request: request.method != "OPTIONS", field(CORS, None))))


# HEAD, media types, caches

add("head-not-allowed-405", "infinitel8p/Extreme-InfiniTV#94", "head-equals-get",
    answer(ANY, on(lambda request: request.method == "HEAD", plain(405))))
add("head-404-get-200", "bluenviron/mediamtx#5874", "head-equals-get",
    answer(r"\.m3u8$", on(lambda request: request.method == "HEAD", plain(404))))
add("playlist-content-type-octet-stream", "bitmovin/bitcodin-node#2", {"type-fits", "playlist-type"},
    answer(r"\.m3u8$", field("Content-Type", "application/octet-stream")))
add("playlist-mime-x-mpegurl", "video-dev/hls.js#7163", "type-fits",
    answer(r"\.m3u8$", field("Content-Type", "application/x-mpegURL")))
add("segment-content-type-wrong", "videojs/video.js#2992", "segment-type",
    answer(SEGMENT, field("Content-Type", "application/octet-stream")))
add("live-playlist-cached-for-a-day", "video-dev/hls.js#1045", "live-cache",
    live, answer(MEDIA, field("Cache-Control", "public, max-age=86400")))
add("live-playlist-old-copy-from-edge", "arut/nginx-rtmp-module#1207", {"stale", "live-lag"},
    live, answer(MEDIA, field("Age", "60")),
    answer(MEDIA, field("Last-Modified", lambda request, answer: date(time.time() - 90))))
add("playlist-304-without-condition", "flowplayer/flowplayer-hlsjs#41", "not-modified-unasked", answer(MEDIA, on(
    lambda request: second(request) and "if-none-match" not in request.headers, plain(304))))
add("etag-same-for-different-bytes", "kaltura/nginx-vod-module#749", "entity-tag-true",
    answer(r"index2\.ts$", lambda request, answer: other(request, answer, keeps=True)))
add("same-segment-different-bytes-between-fetches", "Chocobozzz/PeerTube#7438", "same-again",
    answer(r"index0\.ts$", lambda request, answer: other(request, answer)),
    answer(r"index3\.ts$", lambda request, answer: other(request, answer)))
add("segment-name-reused-after-restart", "OvenMediaLabs/OvenMediaEngine#769", {"ts-continuous", "ts-clock"},
    lambda stage: (stage.home / "index0.ts").write_bytes((stage.home / "index2.ts").read_bytes()))


def other(request, answer, keeps=False):
    if request.count % 2 == 0 and answer.status == 200:
        answer.body = answer.body[:-1] + bytes([answer.body[-1] ^ 1])
        if not keeps:
            answer["ETag"] = '"other"'
    elif keeps:
        answer["ETag"] = '"same"'
    if keeps:
        answer["ETag"] = '"same"'


# Encodings and lengths

add("body-longer-than-content-length", "ryanheise/just_audio#470",
    {"last-line", "vod-end", "segment-readable", "uri-resolves"},
    answer(MEDIA, lambda request, answer: shortened(answer)))
add("segment-body-truncated", "streamlink/streamlink!3768", "body-whole",
    answer(r"index1\.ts$", lambda request, answer: setattr(
    answer, "cut", len(answer.body) * 6 // 10)))
add("playlist-gzip-without-being-asked", "kaltura/nginx-vod-module#1273", "encoding-unasked",
    answer(MEDIA, lambda request, answer:
    None if answer["Content-Encoding"] or not answer.body else packed(answer)))
add("playlist-not-gzipped", "video-dev/hls.js#7827", "playlist-gzip", before("#EXTINF", "#" + "x" * 1000),
    content(MEDIA, ignoring("accept-encoding")))


def shortened(answer):
    if answer["Content-Encoding"]:
        answer.body = gzip.decompress(answer.body)
        del answer["Content-Encoding"]
    answer["Content-Length"] = str(len(answer.body) - 30)


# Redirects, paths, tokens

add("redirect-relative-uris-only-work-on-target", "shaka-project/shaka-player#8320", "uri-resolves",
    lambda stage: ((stage.home / "b").mkdir(), (stage.home / "index.m3u8").rename(stage.home / "b/index.m3u8")),
    answer(r"^index\.m3u8$", plain(302, b"", "text/plain", ("Location", "/b/index.m3u8"))))
add("redirect-live-playlist-to-changing-servers", "shaka-project/shaka-player#7915", "vod-unchanged",
    lambda stage: changing(stage))
add("master-relative-uri-under-query-script", "videojs/videojs-contrib-hls#536", "uri-resolves",
    lambda stage: script(stage))
add("token-only-on-master", "jwplayer/jwplayer#2662", {"token-carried", "uri-resolves"},
    lambda stage: setattr(stage, "playlist", "master.m3u8?sig=1"),
    answer(ANY, lambda request, answer: None if request.query == "sig=1" else plain(403)(request, answer)))
add("cookie-needed-for-segments", "video-dev/hls.js#1423", "uri-resolves", answer(SEGMENT, plain(403)))
add("token-expires-during-play", "video-dev/hls.js#354", "uri-resolves", answer(r"index[123]\.ts$", plain(403)))
add("dotdot-percent-encoded", "whatwg/url#281", "uri-dots", text("index1.ts", "v1/%2e%2e/index1.ts"))
add("dotdot-mixed-encoding-not-normalised", "lysine-dev/okhttp#9451", "uri-dots",
    text("index1.ts", "%2e%2E/../..%2e/index1.ts"))
add("credentials-written-into-segment-uris", "jvdillon/netv!37", "uri-user",
    lambda stage: stage.text("index.m3u8", lambda text: text.replace(
        "\nindex1", "\n" + stage.other().url("index1").replace("//", "//user:p@ss@"))))


def changing(stage):
    """Redirects to two servers in turn, the second of which lacks the first segments."""
    (stage.home / "later.m3u8").write_text(re.sub(r"#EXTINF.*\nindex0\.ts\n", "",
                                                  (stage.home / "index.m3u8").read_text()))
    stage.site.answer(r"^index\.m3u8$", lambda request, answer: plain(
        302, b"", "text/plain", ("Location", "/later.m3u8"))(request, answer) if request.count > 2 else None)


def script(stage):
    """Serves the playlist from a script at another path, to which its URIs are not relative."""
    playlist = (stage.home / "master.m3u8").read_bytes()
    stage.playlist = "bin/get.php?path=/master.m3u8"
    stage.site.answer(r"^bin/get\.php", plain(200, playlist, "application/vnd.apple.mpegurl"))


# TLS


def certificate(folder, name="127.0.0.1", days=1):
    """A TLS context with an untrusted certificate for a name, valid for some days; expired if `days` is negative.
    """
    key, request, chain = (folder / f"tls.{suffix}" for suffix in ("key", "csr", "crt"))
    for command in (["req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
                     key,
                     "-out", request, "-subj", f"/CN={name}"],
                    ["x509", "-req", "-in", request, "-signkey", key, "-days", days, "-out", chain]):
        subprocess.run(["openssl", *map(str, command)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    return context


def secure(name, days):
    """Serves the second segment from a server with such a certificate."""
    def change(stage):
        server = stage.other(context=certificate(stage.home, name, days))
        stage.text("index.m3u8", lambda text: text.replace("\nindex1", f"\n{server.url('index1')}"))
    return change


def no_tls(stage):
    url = stage.other().url("index1").replace("http:", "https:")
    stage.text("index.m3u8", lambda text: text.replace("\nindex1", f"\n{url}"))


add("tls-cert-expired-wrong-name", "tarkah/lazystream#51", "certificate",
    secure("other.example", -1))
add("tls-self-signed", "google/ExoPlayer#6463", "certificate", secure("127.0.0.1", 1))
add("https-port-speaks-plain-http", "mrlt8/docker-wyze-bridge#538", "certificate", no_tls)
add("segment-regenerated-at-same-uri", "EngageMedia-video/cinematacms#791",
    {"cipher-padding", "segment-readable", "cipher-used"},

    lambda stage: (stage.home / "index1.ts").write_bytes((stage.home.parent / "ts/index1.ts").read_bytes()), base=AES)

# Bad input

add("redirect-circle", "", "redirects-end",
    answer(r"index1\.ts$", plain(302, b"", "text/plain", ("Location", "/index1.ts"))))
add("redirect-to-a-file", "", "redirects-end",
    answer(r"index1\.ts$", plain(302, b"", "text/plain", ("Location", "file:///etc/passwd"))))
add("file-from-a-server", "", "uri-scheme", text("index1.ts", "file:///etc/passwd"))
add("segment-redirected", "", "media-redirected",
    answer(r"index1\.ts$", plain(302, b"", "text/plain", ("Location", "/index2.ts"))))
add("segment-reset", "", "uri-resolves", answer(r"index1\.ts$", lambda request, answer: setattr(answer, "reset", True)))
add("segment-trickles", "", {"body-whole", "uri-resolves"},
    answer(r"index1\.ts$", lambda request, answer: setattr(answer, "pace", 2)))
add("segment-of-ten-gigabytes", "", "size-bound", answer(r"index1\.ts$", field("Content-Length", str(10 << 30))))
add("encoding-that-lies", "", "encoding-true", answer(r"index1\.ts$", field("Content-Encoding", "gzip")))
add("segments-packed", "", "media-gzip",
    answer(SEGMENT, lambda request, answer: packed(answer) if answer.status == 200 else None))
add("slow-first-byte", "", "first-byte", answer(r"index1\.ts$", lambda request, answer: setattr(
    answer, "wait", 2.5)), lambda stage: stage.options.extend(["--patience", "5"]))
add("segment-empty", "", "body-kind", answer(r"index1\.ts$", plain(200, b"", "video/mp2t")))
add("key-is-a-page", "", "body-kind", answer(r"key\.bin$", plain(200, PAGE, "text/html")), base=AES)
add("key-missing", "", "uri-resolves", answer(r"key\.bin$", plain(404)), base=AES)
add("changed-after-it-was-sent", "", "last-modified",
    answer(SEGMENT, field("Last-Modified", lambda request, answer: date(time.time() + 3600))))
add("vod-kept-by-no-cache", "", "vod-cache", answer(SEGMENT, field("Cache-Control", "no-store")))
add("live-segments-without-expiry", "", "segment-expires", live, answer(SEGMENT, field("Cache-Control", None)))

# Requests that are treated differently

add("connections-reset-at-each-second-use", "", "connections-kept",
    answer(r"", lambda request, good: Answer(0, reset=True) if request.turn % 2 == 0 else None))
add("segments-only-on-the-second-request", "video-dev/hls.js#5153", "resolves-first",
    answer(SEGMENT, lambda request, answer: Answer(404, [("Content-Length", "0")])
           if request.method == "GET" and request.count == 1 else None))
add("refused-for-one-user-agent", "", "user-agent-same",
    answer(SEGMENT, on(lambda request: "AppleCoreMedia" in request.headers.get("user-agent", ""), plain(403))))
add("too-many-requests", "", "rate-limited",
    answer(r"index2\.ts$", on(lambda request: request.count == 1,
                              plain(429, b"", "text/plain", ("Retry-After", "1")))))
