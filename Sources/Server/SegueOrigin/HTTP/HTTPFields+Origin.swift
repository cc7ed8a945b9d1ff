package import HTTPTypes

extension HTTPFields {
    /// The fields with these names and values, in order, without those whose name is not a token.
    package init(named fields: [(name: String, value: String)]) {
        self.init(
            fields.compactMap { field in HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } }
        )
    }
}

extension HTTPField.Name {
    /// The `Host` field, which swift-http-types has as the authority of a request only.
    package static let hostField = HTTPField.Name("Host")!
    package static let forwarded = HTTPField.Name("Forwarded")!
    package static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
    package static let secFetchMode = HTTPField.Name("Sec-Fetch-Mode")!
    package static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
    package static let xForwardedFor = HTTPField.Name("X-Forwarded-For")!
    package static let xRealIP = HTTPField.Name("X-Real-IP")!

    /// The encoder of a segment's video.
    static let segueVideoEncoder = HTTPField.Name("Segue-Video-Encoder")!

    // Icecast
    static let icyMetaData = HTTPField.Name("Icy-MetaData")!
    static let icyName = HTTPField.Name("icy-name")!
    static let icyGenre = HTTPField.Name("icy-genre")!
    static let icyPublic = HTTPField.Name("icy-pub")!
    static let icyBitRate = HTTPField.Name("icy-br")!
    static let icyMetaInterval = HTTPField.Name("icy-metaint")!

    // UPnP and DLNA
    static let callback = HTTPField.Name("CALLBACK")!
    static let contentFeatures = HTTPField.Name("contentFeatures.dlna.org")!
    static let ext = HTTPField.Name("EXT")!
    static let getContentFeatures = HTTPField.Name("getcontentFeatures.dlna.org")!
    static let nt = HTTPField.Name("NT")!
    static let sid = HTTPField.Name("SID")!
    static let soapAction = HTTPField.Name("SOAPACTION")!
    static let timeout = HTTPField.Name("TIMEOUT")!
    static let transferMode = HTTPField.Name("transferMode.dlna.org")!
}
