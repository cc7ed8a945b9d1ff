internal import SegueFetch
internal import SeguePlaylists

/// Servers without byte ranges, on platforms that require them.
extension ProgressiveClient {
    /// Rejects a range that is not the requested one.
    func checkRange(of response: FetchResponse) throws(PlaybackError) {
        guard settings.files.ranges == .required, response.status == 206, let transfer, let first = transfer.askedFrom,
            let end = transfer.until, let came = response.contentRange
        else { return }
        let asked = first..<max(first, min(end, served.length ?? end))
        guard asked != came else { return }
        throw PlaybackError(
            .coreMedia,
            code: -12939,
            "content range mismatch - should be start \(first) length \(asked.count) is start \(came.lowerBound)"
                + " length \(came.count): \(url)"
        )
    }

    /// Returns the error of a file that came without the requested range, if ranges are required.
    func rangeError(of reader: LayoutReader) -> PlaybackError? {
        guard settings.files.ranges == .required, served.takesRanges == false, reader.isFile else { return nil }
        guard served.length != nil else {
            return PlaybackError(
                .coreMedia,
                code: -12939,
                "byte range and no content length - error code is 200: \(url)"
            )
        }
        return PlaybackError(
            .avFoundation,
            code: -11850,
            "Operation Stopped: The server is not correctly configured. It supports no byte ranges: \(url)"
        )
    }

    /// Handles the end of the request for the first bytes.
    mutating func endProbe() {
        guard case .opening(_, let isRadio) = phase else { return }
        phase = .opening(LayoutReader(length: served.length), isAnnouncedRadio: isRadio)
    }
}

extension FetchResponse {
    /// The range of bytes that a partial response declares, if it is a valid one.
    fileprivate var contentRange: Range<Int64>? {
        let words = (header("content-range") ?? "").split { $0 == " " || $0 == "/" }
        guard words.count == 3, words[0].lowercased() == "bytes" else { return nil }
        let ends = words[1].split(separator: "-").map { Int64($0) }
        guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last, last < .max else {
            return nil
        }
        return first..<last + 1
    }
}
