package import SegueContainers

/// The boxes of an MP4 or QuickTime file outside of others, as far as they are complete.
package struct TopLevelBoxes: Sendable {
    /// The types in order.
    package private(set) var types: [FourCC] = []
    /// The end of the last complete box.
    package private(set) var end: Int64 = 0
    /// True if the last box is incomplete: the file is still being written, or was cut off.
    package private(set) var isCutOff = false

    /// The maximum number of boxes: 24 h of fragments of a tenth of a second.
    private static let most = 2 * 864_000

    /// Reads the heads of the boxes; nil if the file does not begin with one.
    package init?(path: String) {
        guard let file = FileBytes(path: path) else { return nil }
        while end < file.size, types.count < Self.most {
            guard let head = BoxHead(file.bytes(at: end, count: BoxHead.longLength)[...]), Self.isType(head.type) else {
                guard !types.isEmpty else { return nil }
                isCutOff = true
                return
            }
            types.append(head.type)
            // A recorder writes the size of its media data at the end; until then it is 0.
            guard let size = head.size, size <= file.size - end else {
                isCutOff = true
                types.removeLast()
                return
            }
            end += size
        }
        guard !types.isEmpty else { return nil }
    }

    /// The end of the complete fragments of a file that is cut off; nil for any other file.
    package var fragmentEnd: Int64? { isCutOff && types.contains("moov") && types.contains("moof") ? end : nil }

    /// True if the file has no index yet, which most recorders write last.
    package var lacksIndex: Bool { types.first == "ftyp" && !types.contains("moov") }

    private static func isType(_ type: FourCC) -> Bool { known.contains(type) }

    private static let known: Set<FourCC> = [
        "ftyp", "styp", "moov", "moof", "mdat", "mfra", "sidx", "ssix", "prft", "emsg", "free", "skip", "wide", "uuid",
        "meta", "pdin", "udta", "beam", "pnot",
    ]
}
