import Foundation
import SegueBase
import SegueConformance
import SeguePlaylists

/// A playlist or a segment that chance has damaged: the same for the same seed and number.
struct DamagedCase {
    /// What is handed over.
    let bytes: [UInt8]

    private let isPlaylist: Bool
    private let initialization: [UInt8]?

    /// A case; of a thousand one is a playlist of about a megabyte.
    init(seed: UInt64, number: Int, _ seeds: Seeds) {
        var chance = SeededRandom(seed: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
        isPlaylist = Int.random(in: 0..<3, using: &chance) > 0
        if isPlaylist {
            var text = seeds.playlists.randomElement(using: &chance) ?? []
            if number % 1000 == 0 { text = LargeText.made(of: text, &chance) }
            let other = seeds.playlists.randomElement(using: &chance) ?? []
            bytes = Damage.ofText(text, other, &chance)
            initialization = nil
        } else {
            let segment = seeds.segments.randomElement(using: &chance)
            initialization = segment?.initialization
            bytes = Damage.ofBytes(segment?.bytes ?? [], &chance)
        }
    }

    /// The most of the processor's time that it may take: 100 ms, and as much for each megabyte beyond the first.
    var mostMilliseconds: Double { 100 * max(1, Double(bytes.count) / Double(1 << 20)) }

    /// Hands it over, to everything that reads such a thing.
    ///
    /// - Returns: How many milliseconds of the processor's time that took.
    func check() -> Double {
        let began = DamagedCase.processorTime()
        if isPlaylist { checkPlaylist() } else { checkSegment() }
        return DamagedCase.processorTime() - began
    }

    private func checkPlaylist() {
        let document = PlaylistDocument(url: "http://h/a/list.m3u8?token=1", bytes: bytes)
        if document.multivariant != nil || document.namesVariants {
            _ = Validator.findings(MultivariantSubject(document: document))
        } else {
            _ = Validator.findings(MediaSubject(document: document))
        }
        if let playlist = document.playlist { _ = playlist.text }
    }

    private func checkSegment() {
        let facts = initialization.map { InitializationFacts.inspecting($0, url: "http://h/a/init.mp4") }
        let own = InitializationFacts.inspecting(bytes, url: "http://h/a/init.mp4")
        let segment = SegmentFacts.inspecting(bytes, number: 0, url: "http://h/a/0.ts", initialization: facts ?? own)
        let text = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.ts\n#EXT-X-ENDLIST\n"
        _ = Validator.findings(
            MediaSubject(
                document: PlaylistDocument(url: "http://h/a/list.m3u8", bytes: Array(text.utf8)),
                segments: [segment],
                initializations: [own]
            )
        )
    }

    /// Of this thread, in milliseconds: what other programs do meanwhile does not count.
    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
    }
}
