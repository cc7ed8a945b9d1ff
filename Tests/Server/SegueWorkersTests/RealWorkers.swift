import Foundation
import SegueFFmpeg
import SegueOrigin
import SegueOriginTestSupport
import SeguePackager
import SegueTestSupport
import Synchronization

@testable import SegueWorkers

/// Worker processes of the built program, for as long as this object exists.
final class RealWorkers: Sendable {
    let processes: WorkerProcesses
    private let told = Mutex<[String]>([])

    /// The program next to the tests.
    private static let program: String = {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let mapped = maps.split(separator: "\n").compactMap { line in
            line.firstIndex(of: "/").map { String(line[$0...]) }
        }
        let bundle = mapped.first { $0.hasSuffix(".xctest") } ?? CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("segue").path
    }()

    /// Starts workers and waits until they are ready.
    init(
        _ count: Int = 2,
        reading folder: String,
        limits: WorkerLimits = WorkerLimits(),
        newestLandlock: Int32 = .max,
        keeper: (any IndexKeeping)? = nil,
        program: String? = nil
    ) {
        var configuration = WorkerProcesses.Configuration(
            count: count,
            reach: [folder],
            arguments: ["worker", "--planted-faults", "--newest-landlock", "\(newestLandlock)"]
        )
        configuration.program = program ?? Self.program
        configuration.limits = limits
        let box = Box()
        processes = WorkerProcesses(configuration, keeper: keeper) { line in
            box.workers.withLock { $0?.told.withLock { $0.append(line) } }
        }
        box.workers.withLock { $0 = self }
        if program == nil { processes.waitUntilReady(count) }
    }

    private final class Box: Sendable { let workers = Mutex<RealWorkers?>(nil) }

    deinit { processes.stop() }

    /// The notices of the workers.
    var notices: [String] { told.withLock { $0 } }
}

/// A store of indexes that counts its entries and hits.
final class CountingKeeper: IndexKeeping {
    private struct State {
        var parts: [String: [UInt8]] = [:]
        var found = 0
    }

    private let state = Mutex(State())

    /// The numbers of hits and entries.
    var counts: (found: Int, kept: Int) { state.withLock { ($0.found, $0.parts.count) } }

    func kept(_ part: String, of file: FileIdentity) -> [UInt8]? {
        state.withLock { state in
            let found = state.parts["\(part) \(file.tag)"]
            if found != nil { state.found += 1 }
            return found
        }
    }

    func keep(_ bytes: [UInt8], as part: String, of file: FileIdentity) {
        state.withLock { $0.parts["\(part) \(file.tag)"] = bytes }
    }
}
