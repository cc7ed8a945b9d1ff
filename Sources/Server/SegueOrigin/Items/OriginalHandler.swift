import SegueBase
import SeguePackager
import SegueUPnP

/// The handler of `/items/ID/original`.
struct OriginalHandler: Sendable {
    let opener: ItemOpener

    func respond(_ asked: ResourceRequest, _ item: LibraryItem) throws -> OriginResponse {
        let identity = try opener.identity(of: item)
        var response = OriginResponse(
            status: 200,
            headers: [
                ("Content-Type", MediaTypes.contentType(fileExtension: item.fileExtension)),
                ("Content-Length", "\(identity.size)"),
                ("ETag", "\"\(identity.tag)\""),
                ("Last-Modified", HTTPDate.text(secondsSince1970: identity.modifiedNanoseconds / 1_000_000_000)),
                ("Cache-Control", OriginResponse.Freshness.revalidated.rawValue),
                ("Content-Disposition", "inline; filename*=UTF-8''\(PercentCoding.encode(item.fileName))"),
            ],
            body: .file(path: item.filePath, offset: 0, length: identity.size)
        )
        response.headers += Self.televisionFields(asked.request)
        return try response.conditional(asked.request).ranged(asked.request)
    }

    /// The DLNA fields that televisions request (DLNA guidelines, part 1, 7.5.4.3).
    private static func televisionFields(_ request: OriginRequest) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        if request.header("getcontentFeatures.dlna.org") == "1" {
            fields.append(("contentFeatures.dlna.org", ProtocolInfo.features))
        }
        if let mode = request.header("transferMode.dlna.org"), ["Streaming", "Background"].contains(mode) {
            fields.append(("transferMode.dlna.org", mode))
        }
        return fields
    }
}
