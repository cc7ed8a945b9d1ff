import Testing

@testable import SegueOrigin

@Suite struct `Content coding` {
    @Test(arguments: [
        "gzip", "GZIP", "x-gzip", "deflate, gzip, br, zstd", "gzip;q=0.001", "gzip ; q=1.000", "gzip; Q=0.5", "*",
        "br;q=1, *;q=0.1", "identity;q=0.5, gzip;q=0.5", "identity;q=0, *", "gzip;q=0.8, identity;q=0.7", ",gzip,",
    ])
    func `gzip is used if the client prefers it`(value: String) {
        #expect(ContentCoding(accepted: value) == .gzip)
    }

    @Test(arguments: [
        nil, "", "identity", "br", "gzip;q=0", "gzip; q=0.000", "*;q=0", "gzip;q=0, *", "identity, gzip;q=0.5",
        "gzip;q=2", "gzip;q=1.001", "gzip;q=x", "gzip;q=", "gzip;level=9", "gzip;q=0.0001", "gzipped",
    ])
    func `otherwise the bytes are uncompressed`(value: String?) {
        #expect(ContentCoding(accepted: value) == .identity)
    }

    @Test func `each coding has its own tag`() {
        #expect(ContentCoding.identity.tag("\"a\"") == "\"a\"")
        #expect(ContentCoding.gzip.tag("\"a\"") == "\"a-gzip\"")
    }
}
