import SegueBase
import SegueEvents
import Testing

@testable import SegueCharts

@Suite struct `The quality of a run` {
    private func quality(_ events: [(Double, EventKind)]) -> PlaybackQuality {
        var log = EventLog()
        for (at, kind) in events { log.append(kind, at: Instant(seconds: at)) }
        return PlaybackQuality(log: log)
    }

    private func segment(_ number: Int, bytes: Int = 750_000, in seconds: Double = 1) -> EventKind {
        .segmentLoaded(
            item: "item-1",
            stream: "main",
            number: number,
            bytes: bytes,
            start: Double(number) * 6,
            duration: 6,
            seconds: seconds
        )
    }

    private func finished(_ bytes: Int, _ seconds: Double) -> EventKind {
        .requestFinished(request: 1, bytes: bytes, seconds: seconds)
    }

    /// Requested at 1 s, ready at 3 s, audible from 4 s; stalls at 10 s for 5 s; ends at 21 s; three segments, one late.
    private var stalling: [(Double, EventKind)] {
        [
            (0, .queueInserted(item: "item-1", url: "u")), (0, .queueCurrent(item: "item-1")),
            (1, .playerCommand(name: "play", item: "item-1")), (1, .playerRate(rate: 1, reason: "command")),
            (3, finished(750_000, 2)), (3, segment(0, in: 2)), (3, .itemReadyToPlay(item: "item-1", duration: 18)),
            (4, .soundBegan(item: "item-1", position: 0)),
            (10, .soundEnded(item: "item-1", position: 6, reason: "stall")),
            (10, .itemStalled(item: "item-1", position: 6)), (15, finished(750_000, 12)), (15, segment(1, in: 12)),
            (15, .soundBegan(item: "item-1", position: 6)), (16, finished(750_000, 1)), (16, segment(2)),
            (21, .soundEnded(item: "item-1", position: 12, reason: "command")),
            (21, .playerRate(rate: 0, reason: "command")), (23, .caseEnded(reason: "")),
        ]
    }

    @Test func `start, stalls and their share`() {
        let quality = quality(stalling)
        #expect(quality.startup == 3)
        #expect(quality.ready == 2)
        #expect(quality.stalls == [PlaybackQuality.Stall(at: 10, seconds: 5)])
        #expect(quality.playing == 12)
        #expect(quality.rebufferRatio == 5.0 / 17)
        #expect(quality.longestSilence == 5)
    }

    @Test func `what was loaded, played and wasted`() {
        let quality = quality(stalling)
        #expect(quality.watched == 12)
        #expect(quality.downloaded == 18)
        #expect(quality.wasted == 6)
        #expect(quality.bytes == 2_250_000)
        #expect(quality.wastedBytes == 750_000)
        #expect(quality.overdueSegments == 1)
        // 18 Mbit in 15 s; the slowest 6 Mbit in 12 s, the fastest in 1 s.
        #expect(quality.throughput == PlaybackQuality.Throughput(mean: 1_200_000, least: 500_000, greatest: 6_000_000))
    }

    @Test func `a pause, a seek and a failure end a stall`() {
        for end in [
            EventKind.playerRate(rate: 0, reason: "command"),
            .seekBegan(item: "item-1", target: 1, toleranceBefore: 0, toleranceAfter: 0),
            .itemFailed(item: "item-1", domain: "d", code: 1, message: ""),
        ] {
            let quality = quality([
                (0, .itemStalled(item: "item-1", position: 6)), (2, end),
                (9, .soundBegan(item: "item-1", position: 6)), (10, .caseEnded(reason: "")),
            ])
            #expect(quality.stalls == [PlaybackQuality.Stall(at: 0, seconds: 2)])
        }
    }

    @Test func `stretches of a file have their own throughput, and bytes of a canceled request count`() {
        // An earlier request for the head took 10 s; the ranges are requested during another one, which is cancelled.
        let quality = quality([
            (10, finished(1000, 10)), (12, segment(0, in: 2)), (15, segment(1, in: 3)), (22, segment(2, in: 7)),
            (23, .requestCancelled(request: 2, bytes: 2_300_000)), (30, .caseEnded(reason: "")),
        ])
        #expect(quality.throughput?.greatest == 3_000_000)
        #expect(quality.throughput?.mean == 1_500_000)
        #expect(quality.overdueSegments == 1)
        #expect(quality.bytes == 2_301_000)
    }

    @Test func `seeks have their end and the time until something played`() {
        let target = EventKind.seekBegan(item: "item-1", target: 60, toleranceBefore: 0, toleranceAfter: 0)
        let quality = quality([
            (1, target), (2, .seekEnded(item: "item-1", position: 0, isFinished: false)), (2, target),
            (3.5, .seekEnded(item: "item-1", position: 60, isFinished: true)),
            (4, .soundBegan(item: "item-1", position: 60)), (5, .caseEnded(reason: "")),
        ])
        #expect(
            quality.seeks == [PlaybackQuality.Seek(at: 2, target: 60, landed: 60, seconds: 1.5, untilPlayed: 2)]
        )
        #expect(quality.stalls.isEmpty)
    }

    @Test func `declared bit rates count as switches within an item`() {
        let quality = quality([
            (1, .playlistVariantChosen(item: "item-1", url: "a", bandwidth: 1000)),
            (2, .playlistVariantChosen(item: "item-1", url: "b", bandwidth: 2000)),
            (3, .playlistVariantChosen(item: "item-2", url: "a", bandwidth: 1000)),
            (4, .playlistVariantChosen(item: "item-1", url: "b", bandwidth: 2000)),
        ])
        #expect(quality.declaredSwitches == 1)
        #expect(quality.declared.count == 4)
    }
}
