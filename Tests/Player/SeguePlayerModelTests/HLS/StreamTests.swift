import SegueBase
import SegueEvents
import SegueFetch
import Testing

@testable import SeguePlayerModel

@Suite struct `Endless streams` {
    typealias State = StreamCourse.State
    typealias Reason = StreamCourse.StopReason

    /// Returns a state machine in a state.
    private func course(at state: State) -> StreamCourse {
        let ways: [State: [StreamCourse.Input]] = [
            .initialised: [], .starting: [.open], .waitingForData: [.open, .answered],
            .waitingForQueueToStart: [.open, .answered, .enough],
            .playing: [.open, .answered, .enough, .becameAudible],
            .buffering: [.open, .answered, .enough, .becameAudible, .ranDry],
            .paused: [.open, .answered, .enough, .paused],
            .stopping: [.open, .answered, .enough, .becameAudible, .quit], .stopped: [.open, .quit],
        ]
        var course = StreamCourse()
        for input in ways[state] ?? [] { _ = course.handle(input) }
        return course
    }

    /// The effect of each input in each state.
    ///
    /// Unlisted inputs change nothing.
    private static let table: [State: [StreamCourse.Input: (State, Reason)]] = [
        .initialised: [.open: (.starting, .none)],
        .starting: [
            .answered: (.waitingForData, .none), .cleared: (.starting, .temporary), .ended: (.stopped, .endOfFile),
            .failed: (.stopped, .error), .quit: (.stopped, .userAction),
        ],
        .waitingForData: [
            .enough: (.waitingForQueueToStart, .none), .becameAudible: (.playing, .none), .paused: (.paused, .none),
            .lost: (.starting, .none), .cleared: (.starting, .temporary), .ended: (.stopped, .endOfFile),
            .failed: (.stopped, .error), .quit: (.stopped, .userAction),
        ],
        .waitingForQueueToStart: [
            .becameAudible: (.playing, .none), .ranDry: (.buffering, .none), .paused: (.paused, .none),
            .cleared: (.waitingForQueueToStart, .temporary), .ended: (.waitingForQueueToStart, .endOfFile),
            .failed: (.stopping, .error), .quit: (.stopping, .userAction),
        ],
        .playing: [
            .ranDry: (.buffering, .none), .paused: (.paused, .none), .cleared: (.playing, .temporary),
            .ended: (.playing, .endOfFile), .failed: (.stopping, .error), .quit: (.stopping, .userAction),
        ],
        .buffering: [
            .enough: (.waitingForQueueToStart, .none), .becameAudible: (.playing, .none), .paused: (.paused, .none),
            .lost: (.starting, .none), .cleared: (.starting, .temporary), .ended: (.stopped, .endOfFile),
            .failed: (.stopped, .error), .quit: (.stopped, .userAction),
        ],
        .paused: [
            .becameAudible: (.playing, .none), .resumed: (.waitingForQueueToStart, .none),
            .cleared: (.paused, .temporary),
            .ended: (.paused, .endOfFile), .failed: (.stopping, .error), .quit: (.stopping, .userAction),
        ],
        .stopping: [.silent: (.stopped, .userAction)], .stopped: [.released: (.initialised, .userAction)],
    ]

    @Test(arguments: State.allCases)
    func `every input in every state has the effect in the table`(state: State) {
        let before = course(at: state)
        #expect(before.state == state)
        for input in StreamCourse.Input.allCases {
            var after = before
            let isChange = after.handle(input)
            let wanted = Self.table[state]?[input] ?? (before.state, before.reason)
            #expect(after.state == wanted.0 && after.reason == wanted.1, "\(state) \(input): \(after)")
            #expect(isChange == (after != before))
        }
    }

    @Test func `a lost connection is reopened while the buffer plays`() {
        var course = course(at: .playing)
        #expect(!course.handle(.lost) && !course.handle(.answered))
        #expect(course.state == .playing && course.reason == .none)
        _ = course.handle(.ended)
        _ = course.handle(.quit)
        _ = course.handle(.silent)
        #expect(course.state == .stopped && course.reason == .endOfFile)
    }

    @Test func `metadata are separated wherever the data are split`() throws {
        let text = Array("StreamTitle='Don't; Stop';StreamUrl='';".utf8)
        let block = [UInt8(3)] + text + Array(repeating: 0, count: 48 - text.count)
        let stream: [UInt8] = [1, 2, 3, 4, 5] + block + [6, 7, 8, 9, 10, 0, 11, 12]
        for size in 1...stream.count {
            var reader = try #require(IcyReader(interval: "5"))
            var (audio, titles) = ([UInt8](), [String]())
            for start in stride(from: 0, to: stream.count, by: size) {
                let result = reader.read(Array(stream[start..<min(stream.count, start + size)]))
                audio += result.audio
                titles += result.titles
            }
            #expect(audio == Array(1...12))
            #expect(titles == ["Don't; Stop"])
        }
    }

    @Test(arguments: ["0", "-5", "", "many", "99999999999999999999", "4294967296", "16000;16000"])
    func `an invalid interval leaves the stream unchanged`(interval: String) {
        #expect(IcyReader(interval: interval) == nil)
    }

    @Test func `hostile metadata give short clean titles or none`() {
        func title(_ text: String) -> String? { IcyReader.title(in: Array(text.utf8)) }
        #expect(title("StreamTitle='open") == "open")
        #expect(title("StreamTitle=bare;") == "bare")
        #expect(title("StreamTitle='") == "")
        #expect(title("StreamTitle=") == "")
        #expect(title("StreamTitl") == nil)
        #expect(title("") == nil)
        #expect(title("StreamUrl='x';") == nil)
        #expect(title("StreamTitle='a\u{1B}[2J\r\n\u{7}b';") == "a[2Jb")
        #expect(title("StreamTitle='" + String(repeating: "x", count: 4000))?.count == 500)
        #expect(
            IcyReader.title(in: Array("StreamTitle='Caf".utf8) + [0xE9, 0x20, 0x80] + Array("';".utf8)) == "Café €"
        )
        var random = SeededRandom(seed: 7)
        for _ in 0..<300 {
            var reader = IcyReader(interval: "\(1 + Int(random.next() % 40))")
            let bytes = (0..<500).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            #expect(reader?.read(bytes).audio.count ?? 0 <= 500)
        }
    }

    // MARK: Playback

    private func stream(_ seconds: Double, _ headers: [(name: String, value: String)], breaks: [Int] = [])
        -> FileFetcher.File
    {
        FileFetcher.File(
            bytes: MediaBytes.mp3(seconds: seconds),
            takesRanges: false,
            announcesLength: false,
            headers: headers,
            breaks: breaks
        )
    }

    /// A link on which 128 kbit/s arrive slightly faster than they play.
    private let line = Line(delay: .milliseconds(20), bitsPerSecond: 140_000)

    @Test func `an endless stream plays without a duration, and refuses seeks`() throws {
        let rig = try FileRig(["live": stream(100, [("icy-name", "Test")])], line: line)
        rig.play(
            "live",
            [(10, .seek(to: .seconds(3), toleranceBefore: .zero, toleranceAfter: .zero))],
            until: Instant(seconds: 30)
        )
        #expect(rig.kinds.contains(.itemReadyToPlay(item: "item-1", duration: -1)))
        #expect(rig.trail.heard(at: rig.loop.now).seconds > 27)
        #expect(rig.states == ["initialised", "starting", "waitingForData", "waitingForQueueToStart", "playing"])
        let ends = rig.kinds.compactMap { if case .seekEnded(_, _, let isFinished) = $0 { isFinished } else { nil } }
        #expect(ends == [false])
        #expect(rig.fetcher.asked[0].headers.contains { $0 == ("Icy-MetaData", "1") })
    }

    @Test func `audio without a length and a station name ends like a file`() throws {
        let rig = try FileRig(["a.mp3": stream(20, [])], line: line)
        rig.play("a.mp3")
        #expect(rig.session.isFinished)
        #expect(abs(rig.trail.heard(at: rig.loop.now).seconds - 20) < 0.05)
        #expect(rig.states.suffix(2) == ["stopped/endOfFile", "initialised/endOfFile"])
    }

    @Test func `a station is reconnected after a lost connection, and fails if it stays away`() throws {
        let rig = try FileRig(
            ["live": stream(100, [("icy-name", "Test")], breaks: [200_000, 100, 100, 300_000, 10, 10, 10, 10, 10])],
            line: line
        )
        rig.play("live")
        #expect(rig.session.isFailed)
        #expect(rig.errors.count == 7)
        #expect(!rig.states.contains { $0.hasSuffix("temporary") })
        #expect(rig.states.suffix(2) == ["stopped/error", "initialised/error"])
        // 500,220 bytes at 16,000 per second were audio, except for the frames that were cut.
        #expect(abs(rig.trail.heard(at: rig.loop.now).seconds - 31.2) < 0.4)
    }

    @Test func `after a long pause, playback continues with new data`() throws {
        let rig = try FileRig(["live": stream(200, [("icy-br", "128")])], line: line)
        rig.play("live", [(10, .pause), (100, .play)], until: Instant(seconds: 130))
        #expect(rig.fetcher.asked.count == 2)
        #expect(rig.fetcher.cancelled.count == 1)
        #expect(
            rig.states.suffix(6) == [
                "paused", "paused/temporary", "starting", "waitingForData", "waitingForQueueToStart", "playing",
            ]
                || rig.states.last == "playing",
            "\(rig.states)"
        )
        #expect(rig.trail.heard(at: rig.loop.now).seconds > 35)
    }

    @Test func `titles are events`() throws {
        var bytes: [UInt8] = []
        let audio = MediaBytes.mp3(seconds: 60)
        for (number, start) in stride(from: 0, to: audio.count, by: 16_000).enumerated() {
            bytes += audio[start..<min(audio.count, start + 16_000)]
            guard start + 16_000 < audio.count else { break }
            let text = Array("StreamTitle='Piece \(number / 10)';".utf8)
            bytes += [2] + text + Array(repeating: 0, count: 32 - text.count)
        }
        var file = stream(0, [("icy-metaint", "16000"), ("icy-name", "x")])
        file.bytes = bytes
        let rig = try FileRig(["live": file], line: line)
        rig.play("live", until: Instant(seconds: 50))
        let titles = rig.kinds.compactMap { if case .streamTitle(_, let title) = $0 { title } else { nil } }
        #expect(
            titles == Array(["Piece 0", "Piece 1", "Piece 2", "Piece 3", "Piece 4", "Piece 5"].prefix(titles.count))
        )
        #expect(titles.count >= 4)
        #expect(rig.bytes.elementsEqual(audio.prefix(rig.bytes.count)))
        #expect(rig.session.player.current?.error == nil)
    }

    @Test func `a stream without audio fails with bounded memory`() throws {
        var file = stream(0, [("icy-metaint", "8192"), ("icy-name", "x")])
        file.bytes = Array(repeating: 0x55, count: 600_000)
        let rig = try FileRig(["live": file])
        rig.play("live")
        #expect(rig.session.isFailed)
        #expect(rig.errors.last?.contains("no MP3 or AAC") ?? false)
    }
}
