import Notation
import Packager

/// Answers for files as they are: `/items/ID/original`.
struct OriginalHandler: Sendable {
    let opener: ItemOpener

    /// The item's file.
    func answer(_ asked: ResourceRequest, _ item: LibraryItem) throws -> OriginResponse {
        let identity = try opener.identity(of: item)
        return try OriginResponse(
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
        ).conditional(asked.request).ranged(asked.request)
    }
}
