import SegueContainers
import SegueFetch
import SegueTestSupport

/// A stream in memory: segments of six seconds, with 60 kB of transport stream per second.
struct MemoryStream {
    var seconds = 60
    var hasVideo = true

    static let url = "http://origin.test/item/index.m3u8"

    /// Answers requests for the playlist, with or without `background=1`, and for segments; others get 404.
    func respond(to request: FetchRequest) -> (response: FetchResponse, body: FetchBytes) {
        let path = request.url.dropFirst("http://origin.test/item/".count)
        var body: [UInt8]?
        if path == "index.m3u8" || path == "index.m3u8?background=1" {
            let folder = path.hasSuffix("1") ? "sound" : "full"
            var text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n"
            for number in 0..<seconds / 6 { text += "#EXTINF:6,\n\(folder)/\(number).ts\n" }
            body = Array((text + "#EXT-X-ENDLIST\n").utf8)
        } else if path.hasPrefix("full/") {
            body = TransportStream.segment(hasVideo: hasVideo, hasAudio: true, size: 360_000)
        } else if path.hasPrefix("sound/") {
            body = TransportStream.segment(hasVideo: false, hasAudio: true, size: 96_000)
        }
        let bytes = body ?? Array("no such thing".utf8)
        let headers = [(name: "content-length", value: "\(bytes.count)")]
        let status = body == nil ? 404 : 200
        return (
            FetchResponse(status: status, headers: headers, url: request.url, serverAddress: "origin.test:80"),
            FetchBytes(bytes)
        )
    }
}
