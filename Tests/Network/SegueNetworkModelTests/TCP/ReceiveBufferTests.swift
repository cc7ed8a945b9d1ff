import SegueBase
import SegueData
import Testing

@testable import SegueNetworkModel

@Suite struct `A receive buffer` {
    /// The bytes read in each round trip, and Linux's resulting window: twice the maximum and 16 segments of 1460
    /// bytes, plus twice the share of growth; 14,600 bytes count before anything was read.
    @Test(arguments: [
        ([14_600], 94_208), ([20_000], 63_360 + 2 * 23_434), ([20_000, 20_000, 19_000], 110_228),
        ([20_000, 40_000], 103_360 + 2 * 103_360), ([14_600, 14_601], 94_208), ([5_000_000], 3 << 20),
        ([Int.max / 2], 3 << 20),
    ])
    func `grows with the bytes read per round trip, and never shrinks`(taken: [Int], window: Int) {
        var buffer = ReceiveBuffer(.tuned)
        var (total, now) = (0, Int64(0))
        for bytes in taken {
            (total, now) = (total + bytes, now + 100)
            // Nothing is measured within a round trip.
            buffer.measure(takenUpTo: total - 1, roundTrip: 100, at: now - 1)
            buffer.measure(takenUpTo: total, roundTrip: 100, at: now)
        }
        #expect(buffer.window == window && buffer.segments == window / 1448)
    }

    @Test(arguments: [(1, 1), (1448, 1), (65_536, 45), (-5, 1)])
    func `keeps a fixed size of at least one segment`(bytes: Int, segments: Int) {
        var buffer = ReceiveBuffer(.fixed(bytes))
        buffer.measure(takenUpTo: 1_000_000, roundTrip: 1, at: 100)
        #expect(buffer.window == max(1, bytes) && buffer.segments == segments)
    }

    /// A client that reads at once does not notice the tuning: the window grows ahead of slow start.
    @Test(arguments: MeasuredDownload.all.filter { $0.bytes >= 200_000 })
    func `does not slow down a client that reads at once, if tuned`(download: MeasuredDownload) {
        let times = [ReceiveWindow.tuned, .fixed(3 << 20)].map { window in
            DownloadEstimate(over: download.profile, on: download.state, receiveWindow: window)
                .seconds(4 * download.bytes, seed: 1)
        }
        #expect(times[0] == times[1] && times[0] != nil)
    }

    @Test(arguments: ["tuned", "64 KiB", "3MiB", "Tuned", "64", ""])
    func `is read from data files`(text: String) {
        let known: [String: ReceiveWindow] = ["tuned": .tuned, "64 KiB": .fixed(65_536), "3MiB": .fixed(3_145_728)]
        #expect(ReceiveWindow(text) == known[text])
    }
}
