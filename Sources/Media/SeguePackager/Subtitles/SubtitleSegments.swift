internal import Foundation
internal import SegueBase
internal import SegueConcurrency
internal import SegueFFmpeg
internal import Synchronization

/// The subtitles of a file, and of subtitle files beside it, as WebVTT; each is read once.
final class SubtitleSegments: Sendable {
    /// The maximum size of a subtitle file, in bytes.
    private static let greatestSide: Int64 = 16 << 20
    /// The maximum number of cached subtitle files.
    private static let sidesHeld = 8

    private let identity: FileIdentity
    private let plan: SegmentPlan
    private let streams: [StreamInfo]
    private let own = Mutex<[Int: CueSheet]?>(nil)
    private let sides = Mutex<[FileIdentity: CueSheet]>([:])

    /// Creates the segments of a file's text subtitles in `streams`.
    init(identity: FileIdentity, plan: SegmentPlan, streams: [StreamInfo]) {
        (self.identity, self.plan, self.streams) = (identity, plan, streams)
    }

    /// Returns a segment of one of the file's streams.
    func segment(_ number: Int, of stream: Int, _ cancellation: Cancellation) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number), streams.contains(where: { $0.index == stream }) else {
            throw PackagingError(
                .noSuchSegment,
                file: identity.path,
                "the file has no text subtitles in stream \(stream), or no segment \(number)"
            )
        }
        try identity.check()
        return SubtitleWriter.segment(
            plan.segments[number],
            of: try cues(cancellation)[stream] ?? CueSheet(),
            plan: plan
        )
    }

    /// Returns a segment of another file's subtitles.
    func segment(
        _ number: Int,
        ofFile side: FileIdentity,
        _ cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number) else {
            throw PackagingError(.noSuchSegment, file: identity.path, "the file has no segment \(number)")
        }
        return SubtitleWriter.segment(plan.segments[number], of: try cues(of: side, cancellation), plan: plan)
    }

    private func cues(_ cancellation: Cancellation) throws(PackagingError) -> [Int: CueSheet] {
        if let known = own.withLock({ $0 }) { return known }
        do {
            let read = try SubtitleReader(
                file: identity.path,
                plan: plan,
                origin: plan.origin,
                cancellation: cancellation
            ).read(streams)
            try identity.check()
            own.withLock { $0 = read }
            return read
        } catch {
            throw PackagingError.wrapping(error, file: identity.path)
        }
    }

    private func cues(of side: FileIdentity, _ cancellation: Cancellation) throws(PackagingError) -> CueSheet {
        if let known = sides.withLock({ $0[side] }) { return known }
        let name = side.path
        guard side.size <= Self.greatestSide, let file = ReadableFile.handle(name),
            let data = try? file.read(upToCount: Int(Self.greatestSide)) ?? Data(),
            try FileIdentity(ofFileAt: name) == side
        else {
            throw PackagingError(
                .unreadable,
                file: name,
                "the subtitle file exceeds \(Self.greatestSide >> 20) MiB or is being modified"
            )
        }
        do {
            let sheet = try Self.sheet([UInt8](data), name: name, plan: plan, cancellation)
            sides.withLock { held in
                if held.count >= Self.sidesHeld { held.removeAll() }
                held[side] = sheet
            }
            return sheet
        } catch {
            throw PackagingError.wrapping(error, file: name)
        }
    }

    /// Reads a subtitle file; WebVTT keeps its styles, regions, and cue settings.
    private static func sheet(
        _ bytes: [UInt8],
        name: String,
        plan: SegmentPlan,
        _ cancellation: Cancellation
    ) throws -> CueSheet {
        let text = SideText.utf8(bytes)
        if let sheet = WebVTTText.sheet(of: text, until: plan.duration) { return sheet }
        let input = try MediaInput(bytes: text, name: name, cancellation: cancellation)
        guard let stream = input.streams.first(where: { $0.kind == .subtitle && $0.isText && $0.canDecode }) else {
            throw PackagingError(.notMedia, file: name, "the file has no text subtitles")
        }
        let reader = SubtitleReader(file: name, plan: plan, origin: .zero, cancellation: cancellation)
        return try reader.read([stream], from: input)[stream.index] ?? CueSheet()
    }
}
