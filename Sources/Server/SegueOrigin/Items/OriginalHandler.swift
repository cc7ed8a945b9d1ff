import HTTPTypes
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
                .contentType: MediaTypes.contentType(fileExtension: item.fileExtension),
                .contentLength: "\(identity.size)",
                .eTag: "\"\(identity.tag)\"",
                .lastModified: HTTPDate.text(secondsSince1970: identity.modifiedNanoseconds / 1_000_000_000),
                .cacheControl: OriginResponse.Freshness.revalidated.rawValue,
                .contentDisposition: "inline; filename*=UTF-8''\(PercentCoding.encode(item.fileName))",
            ],
            body: .file(path: item.filePath, offset: 0, length: identity.size)
        )
        response.headers += Self.televisionFields(asked.request)
        return try response.conditional(asked.request).ranged(asked.request)
    }

    /// The DLNA fields that televisions request (DLNA guidelines, part 1, 7.5.4.3).
    private static func televisionFields(_ request: OriginRequest) -> HTTPFields {
        var fields: HTTPFields = [:]
        if request.headers[.getContentFeatures] == "1" {
            fields[.contentFeatures] = ProtocolInfo.features
        }
        if let mode = request.headers[.transferMode], ["Streaming", "Background"].contains(mode) {
            fields[.transferMode] = mode
        }
        return fields
    }
}
