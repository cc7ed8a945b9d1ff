import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueWorkers

@Suite(.serialized) struct `Worker processes` {
    /// A responder of a folder with worker processes.
    private func responder(_ folder: TestFolder, _ workers: RealWorkers) throws -> Responder {
        Responder(library: try Library(roots: [folder.path])) { $0.work = workers.processes }
    }

    private func get(_ target: String, of responder: Responder) -> OriginResponse {
        responder.respond(to: OriginRequest(method: "GET", target: target))
    }

    /// A folder with a film whose name plants a fault, and one without.
    ///
    /// The film's audio has to be encoded, since copied segments need no worker.
    private func folder(_ fault: String) throws -> TestFolder {
        let served = try ServedFolder()
        let folder = try TestFolder()
        let planted = fault == "crash-on-segment" ? "plain.wav" : "films/silent.mp4"
        for (name, file) in [("planted-\(fault)", planted), ("sound", "films/silent.mp4")] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: served.folder.file(file)))
            _ = try folder.write(Array(bytes), to: "\(name).\(file.suffix(3))")
        }
        return folder
    }

    private func id(_ name: String, _ responder: Responder) throws -> String {
        try #require(responder.library.items.first { $0.path.hasPrefix(name) }).id
    }

    @Test func `produce the same bytes as the server itself`() throws {
        let served = try ServedFolder()
        let workers = RealWorkers(reading: served.folder.path)
        let other = try responder(served.folder, workers)
        var compared = 0
        for item in served.responder.library.items {
            var targets = [
                "/api/items/\(item.id)", "/items/\(item.id)/master.m3u8", "/items/\(item.id)/artwork.jpg",
                "/items/\(item.id)/index.m3u8", "/items/\(item.id)/index.m3u8?background=1",
                "/items/\(item.id)/index.m3u8?container=ts", "/items/\(item.id)/index.m3u8?rendition=iframes",
                "/items/\(item.id)/index.m3u8?rendition=sound-2", "/items/\(item.id)/index.m3u8?byterange=1",
            ]
            while let target = targets.popLast() {
                let (own, foreign) = (served.get(target), get(target, of: other))
                #expect(own.status == foreign.status, "\(target)")
                #expect(own.bytes == foreign.bytes, "\(target) of \(item.path)")
                compared += 1
                guard target.contains(".m3u8"), own.status == 200 else { continue }
                targets += try served.uris(own, of: item.path).filter { !$0.contains(".m3u8") }
            }
        }
        #expect(compared > 100)
        #expect(workers.processes.report?.lost == 0)
        #expect(workers.notices == [])
    }

    @Test(arguments: [
        ("crash-on-open", "libav crashed with SIGSEGV while it was being opened"),
        ("abort-on-open", "libav crashed with SIGABRT while it was being opened"),
        ("exit-on-open", "libav's process exited with code 42 while it was being opened"),
        ("crash-on-segment", "libav crashed with SIGSEGV while segment 0 of full was being made"),
    ])
    func `retry once after a crash, and then quarantine the file with the reason`(
        fault: String,
        words: String
    ) throws {
        let folder = try folder(fault)
        let workers = RealWorkers(reading: folder.path)
        let responder = try responder(folder, workers)
        let planted = try "/items/\(id("planted", responder))"
        let audio = try "/items/\(id("sound", responder))/index.m3u8"
        var answer = get("\(planted)/index.m3u8", of: responder)
        if answer.status == 200 {
            let uri = try #require(answer.text.split(separator: "\n").first { !$0.hasPrefix("#") })
            answer = get("\(planted)/\(uri)", of: responder)
        }
        #expect(answer.status == 422)
        #expect(answer.code == "setAside")
        #expect(answer.message?.contains(words) == true, "\(answer.message ?? "")")
        let lost = { workers.processes.report.map { [$0.lost, $0.retried, $0.setAside] } }
        #expect(lost() == [2, 1, 1])
        #expect(get("\(planted)/artwork.jpg", of: responder).code == "setAside")
        #expect(lost() == [2, 1, 1])
        #expect(get(audio, of: responder).status == 200)
        #expect(workers.notices.filter { $0.contains("quarantined") }.count == 1)
    }

    @Test func `are not used for segments that need no libav`() throws {
        let served = try ServedFolder()
        let workers = RealWorkers(reading: served.folder.path)
        let responder = try responder(served.folder, workers)
        let film = try "/items/\(id("films/film.mp4", responder))"
        let playlist = get("\(film)/index.m3u8", of: responder)
        let segments = playlist.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let first = get("\(film)/\(try #require(segments.first))", of: responder)
        // A request to a worker would now wait forever.
        workers.processes.stop()
        for segment in segments.dropFirst() { #expect(get("\(film)/\(segment)", of: responder).status == 200) }
        #expect(first.status == 200 && segments.count > 1)
    }

    @Test(arguments: ["hang-on-open", "spin-on-open"])
    func `are ended if they make no progress`(fault: String) throws {
        let folder = try folder(fault)
        let workers = RealWorkers(reading: folder.path, limits: WorkerLimits(patience: .seconds(1)))
        let responder = try responder(folder, workers)
        let answer = try get("/items/\(id("planted", responder))/index.m3u8", of: responder)
        #expect(answer.code == "setAside")
        #expect(answer.message?.contains("libav made no progress for 1 s while it was being opened") == true)
        #expect(try get("/items/\(id("sound", responder))/index.m3u8", of: responder).status == 200)
    }

    @Test func `are ended if they exceed their memory limit`() throws {
        let folder = try folder("bomb-on-open")
        let workers = RealWorkers(reading: folder.path, limits: WorkerLimits(memory: 256 << 20))
        let responder = try responder(folder, workers)
        let answer = try get("/items/\(id("planted", responder))/index.m3u8", of: responder)
        #expect(answer.code == "setAside")
        #expect(answer.message?.contains("libav exceeded its memory limit of 256 MiB") == true)
        #expect(try get("/items/\(id("sound", responder))/index.m3u8", of: responder).status == 200)
    }

    /// Version 2 of Landlock adds the linking of files, 3 truncation, 4 TCP, 5 device control, 6 signals; a kernel that
    /// is older than a version is tested several times.
    @Test(arguments: [1, 2, 3, 4, 5, 6, Int32.max])
    func `can access only the served folder: no other file, no system call that files do not need`(
        landlock: Int32
    ) throws {
        let folder = try folder("escape-on-open")
        let workers = RealWorkers(reading: folder.path, newestLandlock: landlock)
        let responder = try responder(folder, workers)
        #expect(try get("/items/\(id("planted", responder))/index.m3u8", of: responder).status == 200)
        #expect(workers.notices == [])
    }

    @Test func `end soon after a cancellation, and the file is not quarantined`() throws {
        let folder = try folder("hang-on-open")
        let workers = RealWorkers(reading: folder.path)
        let file = try FileIdentity(ofFileAt: folder.file("planted-hang-on-open.mp4"))
        let cancellation = Cancellation()
        WorkThread.begin("canceller") {
            while workers.processes.report?.busy != 1 { usleep(1000) }
            cancellation.cancel()
        }
        let error = #expect(throws: PackagingError.self) {
            try workers.processes.open(file, for: .any, in: nil, cancellation: cancellation)
        }
        #expect(error?.reason == .cancelled)
        #expect(workers.processes.report?.setAside == 0)
    }

    @Test func `may be killed while idle without a failed request`() throws {
        let served = try ServedFolder()
        let workers = RealWorkers(reading: served.folder.path)
        let responder = try responder(served.folder, workers)
        for process in workers.processes.idleProcesses { kill(process, SIGKILL) }
        let item = try served.item("films/film.mp4")
        #expect(get("/items/\(item.id)/index.m3u8", of: responder).status == 200)
        #expect(workers.processes.report?.setAside == 0)
    }

    @Test func `store indexes of files in the server`() throws {
        let served = try ServedFolder()
        let keeper = CountingKeeper()
        let workers = RealWorkers(reading: served.folder.path, keeper: keeper)
        let file = try FileIdentity(ofFileAt: served.folder.file("films/tongues.mkv"))
        let first = try workers.processes.open(file, for: .any, in: nil, cancellation: Cancellation())
        #expect(keeper.counts.kept > 0)
        for process in workers.processes.idleProcesses { kill(process, SIGKILL) }
        let before = keeper.counts.found
        let second = try workers.processes.open(file, for: .any, in: nil, cancellation: Cancellation())
        #expect(keeper.counts.found > before)
        #expect(first.plan == second.plan)
    }

    @Test(arguments: RadioFormat.allCases)
    func `play files like the server itself, frame by frame`(format: RadioFormat) throws {
        let served = try ServedFolder()
        let workers = RealWorkers(1, reading: served.folder.path)
        /// The frames, the tags, and the result of each file.
        func play(_ work: any FileWork) throws -> ([[UInt8]], [[String: String]], [Bool?]) {
            var frames: [[UInt8]] = []
            var tags: [[String: String]] = []
            let radio = try work.radio(format) { frames.append($0) }
            let heard = ["plain.wav", "films/words.mp4", "song.mp3", "films/silent.mp4", "films/old.mkv"].map { name in
                try? radio.play(path: served.folder.file(name), cancellation: Cancellation()) { tags.append($0) }
            }
            return (frames, tags, heard)
        }
        let (own, foreign) = (try play(OwnFileWork()), try play(workers.processes))
        #expect(own.0.count > 400)
        #expect(own.0 == foreign.0)
        #expect(own.1 == foreign.1)
        #expect(foreign.2 == [true, nil, true, false, true])
        #expect(workers.notices == [])
    }

    @Test func `skip the rest of a file after a crash in a station, and another one continues`() throws {
        let served = try ServedFolder()
        let workers = RealWorkers(1, reading: served.folder.path)
        let song = try Data(contentsOf: URL(fileURLWithPath: served.folder.file("song.mp3")))
        let planted = try served.folder.write(Array(song), to: "planted-crash-on-play.mp3")
        var frames = 0
        let radio = try workers.processes.radio(.mp3) { _ in frames += 1 }
        #expect(throws: MediaError.self) {
            try radio.play(path: planted, cancellation: Cancellation()) { _ in }
        }
        #expect(workers.processes.report?.setAside == 1)
        #expect(try radio.play(path: served.folder.file("song.mp3"), cancellation: Cancellation()) { _ in })
        #expect(frames > 300)
    }

    @Test func `are replaced after a number of tasks`() throws {
        let served = try ServedFolder()
        let workers = RealWorkers(1, reading: served.folder.path, limits: WorkerLimits(tasks: 1))
        let first = workers.processes.idleProcesses
        let path = served.folder.file("plain.wav")
        _ = try workers.processes.look(into: path, cancellation: Cancellation())
        _ = try workers.processes.look(into: path, cancellation: Cancellation())
        workers.processes.waitUntilReady(1)
        #expect(workers.processes.idleProcesses != first)
        #expect(workers.processes.report?.lost == 0)
        // The system keeps no entry of replaced workers, not even their status.
        let number = try #require(first.first)
        OrphanReaper.ofThisProcess.wait(for: number)
        #expect(waitpid(number, nil, WNOHANG) == -1 && errno == ECHILD)
    }
}
