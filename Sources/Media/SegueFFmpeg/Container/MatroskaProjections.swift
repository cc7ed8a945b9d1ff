internal import Foundation

/// A reader of the display transforms of Matroska's video tracks (RFC 9559, `Projection`), which libav 5.1 ignores.
struct MatroskaProjections {
    /// The display matrices of the video tracks, in file order; nil for an upright one.
    private(set) var matrices: [[Int32]?] = []

    private let file: FileBytes

    private enum ID {
        static let header = 0x1A45_DFA3
        static let segment = 0x1853_8067
        static let cluster = 0x1F43_B675
        static let tracks = 0x1654_AE6B
        static let track = 0xAE
        static let kind = 0x83
        static let video = 0xE0
        static let projection = 0x7670
        static let form = 0x7671
        static let yaw = 0x7673
        static let pitch = 0x7674
        static let roll = 0x7675
    }

    /// A rectangular projection's pose, in degrees.
    private struct Pose {
        var isRectangular = true
        var yaw = 0.0
        var pitch = 0.0
        var roll = 0.0

        /// The display matrix; nil if upright or not in the plane.
        var matrix: [Int32]? {
            guard isRectangular, pitch == 0, [0, 180, -180].contains(yaw), roll.isFinite, yaw != 0 || roll != 0 else {
                return nil
            }
            // The mirror comes first, then the counterclockwise roll.
            let angle = roll * .pi / 180
            let (cosine, sine) = (Int32(cos(angle) * 65536), Int32(sin(angle) * 65536))
            let across = yaw == 0 ? (cosine, -sine) : (-cosine, sine)
            return [across.0, across.1, 0, sine, cosine, 0, 0, 0, 1 << 30]
        }
    }

    private typealias Element = (id: Int, start: Int64, end: Int64)

    /// The maximum number of elements read before the tracks.
    private static let patience = 64

    /// Reads a file; nil if it cannot be opened.
    init?(path: String) {
        guard let file = FileBytes(path: path) else { return nil }
        self.file = file
        guard let header = element(at: 0, before: file.size), header.id == ID.header,
            let segment = element(at: header.end, before: file.size), segment.id == ID.segment
        else { return }
        var place = segment.start
        for _ in 0..<Self.patience {
            guard let next = element(at: place, before: segment.end), next.id != ID.cluster else { return }
            if next.id == ID.tracks {
                children(of: next) { if $0.id == ID.track { readTrack($0) } }
                return
            }
            place = next.end
        }
    }

    private mutating func readTrack(_ track: Element) {
        var pose = Pose()
        var isVideo = false
        children(of: track) { field in
            switch field.id {
            case ID.kind: isVideo = number(field) == 1
            case ID.video:
                children(of: field) { part in
                    guard part.id == ID.projection else { return }
                    children(of: part) { value in
                        switch value.id {
                        case ID.form: pose.isRectangular = number(value) == 0
                        case ID.yaw: pose.yaw = fraction(value)
                        case ID.pitch: pose.pitch = fraction(value)
                        case ID.roll: pose.roll = fraction(value)
                        default: break
                        }
                    }
                }
            default: break
            }
        }
        if isVideo { matrices.append(pose.matrix) }
    }

    private func children(of parent: Element, _ body: (Element) -> Void) {
        var place = parent.start
        while let child = element(at: place, before: parent.end) {
            body(child)
            place = child.end
        }
    }

    /// The element at a position; nil at the end and if it is damaged.
    private func element(at place: Int64, before limit: Int64) -> Element? {
        let head = file.head(at: place)
        let idLength = head.first.leadingZeroBitCount + 1
        guard place < limit, idLength <= 4, head.count > idLength else { return nil }
        let id = Int(head.first >> UInt64(64 - 8 * idLength))
        let rest = head.first << UInt64(8 * idLength) | head.last >> UInt64(64 - 8 * idLength)
        let length = rest.leadingZeroBitCount + 1
        guard length <= 8, head.count >= idLength + length else { return nil }
        let value = (rest & UInt64.max >> UInt64(length)) >> UInt64(64 - 8 * length)
        let start = place + Int64(idLength + length)
        // All bits set mean an unknown size.
        let isUnknown = value == UInt64.max >> UInt64(64 - 7 * length)
        let size = isUnknown ? max(0, limit - start) : Int64(clamping: value)
        guard size <= limit - start || id == ID.segment else { return nil }
        return (id, start, min(limit, start + min(size, max(0, limit - start))))
    }

    private func number(_ element: Element) -> UInt64 {
        let count = Int(min(8, element.end - element.start))
        return file.bytes(at: element.start, count: count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func fraction(_ element: Element) -> Double {
        switch element.end - element.start {
        case 4: Double(Float(bitPattern: UInt32(truncatingIfNeeded: number(element))))
        case 8: Double(bitPattern: number(element))
        default: 0
        }
    }
}

extension MediaInput {
    /// Adds the display transforms of Matroska's video tracks.
    func readProjections(ofFileAt path: String) {
        let films = streams.filter { $0.kind == .video && !$0.isAttachedPicture }
        guard formatName == "matroska,webm", films.contains(where: { $0.displayMatrix == nil }),
            let projections = MatroskaProjections(path: path), projections.matrices.count == films.count
        else { return }
        var turned: [Int: StreamInfo] = [:]
        for (film, matrix) in zip(films, projections.matrices) where matrix != nil && film.displayMatrix == nil {
            turned[film.index] = film.with(displayMatrix: matrix)
        }
        correct(turned)
    }
}
