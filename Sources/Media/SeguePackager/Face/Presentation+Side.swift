internal import Foundation
internal import SegueBase
package import SegueConcurrency
import SegueFFmpeg
internal import Synchronization

extension Presentation {
    /// The maximum size of a subtitle file, in bytes.
    private static let greatestSide: Int64 = 16 << 20
    /// The maximum number of cached subtitle files.
    private static let sidesHeld = 8

    /// Returns a segment of a subtitle file as WebVTT; throws ``PackagingError`` with `.noSuchSegment` outside the plan
    /// and `.notMedia` without text subtitles.
    package func subtitleSegment(
        _ number: Int,
        ofFile side: FileIdentity,
        cancellation: Cancellation
    ) throws(PackagingError) -> [UInt8] {
        guard plan.segments.indices.contains(number) else {
            throw PackagingError(.noSuchSegment, file: identity.path, "the file has no segment \(number)")
        }
        return SubtitleWriter.segment(plan.segments[number], cues: try cues(of: side, cancellation), plan: plan)
    }

    private func cues(of side: FileIdentity, _ cancellation: Cancellation) throws(PackagingError) -> [Cue] {
        if let known = sideCues.withLock({ $0[side] }) { return known }
        let name = side.path
        guard side.size <= Self.greatestSide, let data = FileManager.default.contents(atPath: name),
            try FileIdentity(ofFileAt: name) == side
        else {
            throw PackagingError(
                .unreadable,
                file: name,
                "the subtitle file exceeds \(Self.greatestSide >> 20) MiB or is being modified"
            )
        }
        do {
            let input = try MediaInput(bytes: SideText.utf8([UInt8](data)), name: name, cancellation: cancellation)
            guard let stream = input.streams.first(where: { $0.kind == .subtitle && $0.isText && $0.canDecode }) else {
                throw PackagingError(.notMedia, file: name, "the file has no text subtitles")
            }
            let reader = SubtitleReader(file: name, plan: plan, origin: .zero, cancellation: cancellation)
            let cues = try reader.read([stream], from: input)[stream.index] ?? []
            sideCues.withLock { held in
                if held.count >= Self.sidesHeld { held.removeAll() }
                held[side] = cues
            }
            return cues
        } catch {
            throw PackagingError.wrapping(error, file: name)
        }
    }
}
