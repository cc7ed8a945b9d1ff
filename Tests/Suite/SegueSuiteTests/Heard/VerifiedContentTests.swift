import Foundation
import SegueByteCoding
import SegueData
import SegueFFmpeg
import SegueOrigin
import SegueTestMedia
import SegueTestSupport
import Synchronization
import Testing

@testable import SegueSuite

/// Verified content is not verified again, and its results stay the same.
@Suite struct `Content verified before` {
    private static let recipes = """
        recipes:
          - file: film.mkv
            about: A film whose sound is coded anew.
            format: matroska
            duration: 8
            video: {codec: libx264, size: 96x64, rate: 10, interval: 20, options: {preset: ultrafast}}
            audio: [{codec: libvorbis, rate: 44100, channels: 1}]
          - file: song.m4a
            about: A song.
            format: ipod
            duration: 8
            audio: [{codec: aac, rate: 44100, channels: 1}]
        """

    /// An in-memory store that records its calls.
    private final class Memory: VerificationStore, Sendable {
        private let state = Mutex<(entries: [String: [UInt8]], writes: [String])>(([:], []))
        /// The keys stored since the last call of this method.
        var writes: [String] {
            state.withLock { state in
                defer { state.writes = [] }
                return state.writes
            }
        }

        func kept(_ key: String) -> [UInt8]? { state.withLock { $0.entries[key] } }

        func keep(_ bytes: [UInt8], as key: String) {
            state.withLock { state in
                state.entries[key] = bytes
                state.writes.append(key)
            }
        }

        /// Replaces every entry whose key contains a word.
        func change(_ word: String, _ change: ([UInt8]) -> [UInt8]) {
            state.withLock { state in
                for key in state.entries.keys where key.contains(word) {
                    state.entries[key] = change(state.entries[key]!)
                }
            }
        }
    }

    /// The result of a run.
    private struct Run {
        var results: [CaseResult] = []
        var logs = ""
        /// The verification times of the cases.
        var verified: [ContentVerification.When?] = []
    }

    private let folder: TestFolder
    private let memory = Memory()

    init() throws { folder = try TestFolder() }

    private func made(_ name: String) throws -> String {
        try MediaMaker(recipes: RecipeReader.parse(Self.recipes, file: "test")).make(name, into: folder.path)
    }

    /// Runs the cases of a file.
    private func run(
        _ path: String,
        scenarios: [String]? = nil,
        device: String? = nil,
        program: String = "this",
        isBelieved: Bool = true,
        isKept: Bool = true
    ) throws -> Run {
        let root = Checkout.root
        let suite = try Suite(
            SuiteSources([path]),
            SuiteChoices(scenarios: scenarios, networks: ["wifi", "3g-lossy"], devices: device.map { [$0] }),
            harness: HarnessFolder(path: root.appendingPathComponent("Harness").path)
        )
        let logs = try TestFolder()
        let task = try #require(suite.tasks(logFolder: logs.path, wantsStories: false, limits: FileLimits()).first)
        let verified = VerifiedContent(RunningProgram(checksum: program), isBelieved: isBelieved) { [memory] in memory }
        var run = Run()
        let runner = FileRunner(
            task: task,
            progress: FileProgress(path: task.path),
            verified: isKept ? verified : nil
        )
        try runner.run { outcome in
            run.results.append(outcome.result)
            run.verified.append(outcome.verified?.when)
        }
        for name in try FileManager.default.subpathsOfDirectory(atPath: logs.path).sorted() {
            run.logs += (try? String(contentsOfFile: logs.file(name), encoding: .utf8)) ?? ""
        }
        return run
    }

    @Test(arguments: ["film.mkv", "song.m4a"])
    func `a second run has identical results, and so does one without a store`(name: String) throws {
        let film = try made(name)
        let plain = try run(film, isKept: false)
        let first = try run(film)
        #expect(Set(first.verified) == [.now] && first.results == plain.results && first.logs == plain.logs)
        #expect(first.logs.contains("segment.loaded"))
        #expect(!memory.writes.isEmpty)
        let second = try run(film)
        #expect(Set(second.verified) == [.before] && second.results == first.results && second.logs == first.logs)
        #expect(memory.writes.filter { !$0.hasPrefix("bytes ") } == [])
    }

    @Test func `a scenario that plays another rendition verifies only that`() throws {
        let film = try made("film.mkv")
        #expect(try run(film, scenarios: ["play-through"]).verified == [.now, .now])
        let both = try run(film, scenarios: ["play-through", "background-and-return"])
        #expect(Set(both.verified[..<2]) == [.before] && Set(both.verified[2...]) == [.now])
        let alone = try run(film, scenarios: ["play-through", "background-and-return"], isKept: false)
        #expect(both.results == alone.results && both.logs == alone.logs)
    }

    @Test func `findings are repeated`() throws {
        let film = try made("film.mkv")
        var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: film)))
        for place in bytes.count / 2..<bytes.count / 2 + 3000 { bytes[place] = 0x55 }
        _ = try folder.write(bytes, to: "film.mkv")
        let (first, second) = (try run(film), try run(film))
        #expect(first.results.contains { !$0.findings.isEmpty } && first.results == second.results)
        #expect(Set(second.verified) == [.before])
    }

    /// A change between two runs.
    enum Change: CaseIterable { case byte, program, device, again, damage }

    @Test(arguments: Change.allCases)
    func `the key has all inputs of the result`(change: Change) throws {
        let film = try made("song.m4a")
        _ = try run(film)
        switch change {
        case .byte:
            let times = try FileManager.default.attributesOfItem(atPath: film)
            var bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: film)))
            bytes[bytes.count / 2] ^= 1
            let handle = try #require(FileHandle(forWritingAtPath: film))
            try handle.write(contentsOf: bytes)
            try handle.close()
            try FileManager.default.setAttributes(
                [.modificationDate: try #require(times[.modificationDate])],
                ofItemAtPath: film
            )
            #expect(try FileManager.default.attributesOfItem(atPath: film)[.size] as? Int == times[.size] as? Int)
            #expect(try run(film).verified[0] == .now)
        case .program: #expect(try run(film, program: "other").verified[0] == .now)
        case .device: #expect(try run(film, device: "iphone-3g").verified[0] == .now)
        case .again:
            #expect(try run(film, isBelieved: false).verified[0] == .now)
            #expect(try run(film).verified[0] == .before)
        case .damage:
            memory.change("full") { Array($0.dropLast()) }
            #expect(try run(film).verified[0] == .now)
        }
    }

    @Test func `a copy with another name and time is not verified again`() throws {
        let film = try made("song.m4a")
        _ = try run(film)
        let copy = folder.file("deep/copy.m4a")
        try FileManager.default.createDirectory(atPath: folder.file("deep"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: film, toPath: copy)
        let (copied, plain) = (try run(copy), try run(copy, isKept: false))
        #expect(Set(copied.verified) == [.before] && copied.results == plain.results && copied.logs == plain.logs)
    }

    @Test func `a file is read again after any change of its metadata`() throws {
        let path = try folder.write([1, 2, 3], to: "file")
        let before = VerificationCache(memory)
        let sum = Checksum.sha256([1, 2, 3])
        #expect(before.checksum(ofFileAt: path) == sum)
        // The file was modified a moment ago: one more change might not be visible in its modification time.
        #expect(memory.writes == [])
        let stamp = try #require(FileStamp(ofFileAt: path))
        before.keep("kept", as: "bytes \(stamp.text)")
        #expect(before.checksum(ofFileAt: path) == "kept")
        let times = try FileManager.default.attributesOfItem(atPath: path)
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.write(contentsOf: [1, 2, 4])
        try handle.close()
        try FileManager.default.setAttributes(
            [.modificationDate: try #require(times[.modificationDate])],
            ofItemAtPath: path
        )
        #expect(before.checksum(ofFileAt: path) == Checksum.sha256([1, 2, 4]))
        #expect(before.checksum(ofFileAt: folder.file("none")) == nil)
        #expect(before.checksum(ofFileAt: folder.path) == nil)
    }

    @Test func `a recently modified file is read again`() throws {
        let stamp = try #require(FileStamp(ofFileAt: try folder.write([1], to: "file")))
        let now = Int64(Date().timeIntervalSince1970 * 1e9)
        #expect(!stamp.isSettled(at: now) && stamp.isSettled(at: now + 4_000_000_000))
        #expect(!stamp.isSettled(at: now - 4_000_000_000))
    }

    @Test func `the program includes its libraries and the processor`() throws {
        let before = VerificationCache(memory)
        let one = try #require(RunningProgram(before))
        #expect(try #require(RunningProgram(before)).checksum == one.checksum && one.checksum.count == 64)
        let library = try #require(LoadedFiles.paths.first { $0.contains("libavcodec") })
        let without = RunningProgram(checksum: "", files: LoadedFiles.paths.subtracting([library]))
        #expect(without.loadedSince(before) == [library: try LongChecksum.ofFile(at: library)])
    }
}
