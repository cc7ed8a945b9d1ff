import SegueProxy
import Testing

@Suite struct `Servers that a playlist names` {
    @Test(arguments: [
        ("#EXTM3U\n#EXTINF:6,\na.ts\n#EXTINF:6,\n/b.ts\n", []),
        ("#EXTM3U\n#EXTINF:6,\nhttp://cdn.example/a.ts\n#EXTINF:6,\nhttp://CDN.example:80/b.ts\n", ["cdn.example:80"]),
        (
            "#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"https://keys.example/1\"\r\nHTTPS://cdn.example:8443/a.ts\r\n",
            ["keys.example:443", "cdn.example:8443"]
        ),
        ("#EXTM3U\n# see URI=\"http://comment.example/\"\n#EXTINF:6,http://title.example/\na.ts\n", []),
        (
            "#EXTM3U\nhttp://[::1]:81/a.ts\nhttp://me@cdn.example/b\nhttp:///c\nskd://d\ndata:,e\n",
            ["::1:81", "cdn.example:80"]
        ),
        (
            """
            <?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" xmlns:xlink="http://www.w3.org/1999/xlink">
            <BaseURL>
              https://cdn.example/v/ </BaseURL><ContentProtection schemeIdUri="http://scheme.example/"/>
            <SegmentTemplate media="http://media.example/$Number$.m4s" initialization="i.mp4"/></MPD>
            """, ["cdn.example:443", "media.example:80"]
        ),
    ])
    func `are those of absolute URLs, each once`(text: String, servers: [String]) {
        let found = PlaylistServers.named(in: Array(text.utf8))
        #expect(found.map { "\($0.server.host):\($0.server.port)" } == servers)
    }

    @Test func `are reported up to a limit`() {
        let text = (0..<100).map { "http://cdn\($0).example/a.ts\n" }.joined()
        #expect(PlaylistServers.named(in: Array(text.utf8)).count == 16)
    }
}
