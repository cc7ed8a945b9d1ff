import Foundation
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin
@testable import SegueServer

@Suite struct `The library scanner` {
    @Test func `a hanging folder shows in the work report and blocks no other work`() async throws {
        let (mayHang, isHanging, mayEnd) = (Monitor(false), Gate(), Gate())
        defer { mayEnd.open() }
        let folder = try TestFolder()
        _ = try folder.write([0], to: "song.mp3")
        let library = try Library(roots: [folder.path]) { folder, body in
            if mayHang.withLock({ $0 }) {
                isHanging.open()
                mayEnd.wait()
            }
            return FileNames.forEachName(in: folder, body)
        }
        mayHang.withLock { $0 = true }
        var configuration = OriginServer.Configuration()
        configuration.threads = 1
        configuration.patience = .endless
        let work = ThreadedWork(configuration, isHelped: { false }) { _, _ in OriginFailure.cancelled.response }
        defer { work.stop() }
        let responder = Responder(library: library)
        let keeper = LibraryScanner(responder.learner, minimumPause: .zero)
        keeper.start(work)
        keeper.requestScan()
        try await blocking { isHanging.wait() }.value
        #expect(work.report.lanes.first { $0.name == "background" }?.busy == 1)
        #expect(library.items.map(\.path) == ["song.mp3"])
        let answer = try await work.respond(
            OriginRequest(target: "/"),
            order: WorkOrder(.quick),
            cancellation: Cancellation()
        )
        #expect(answer.status == 503)
        keeper.stop()
        withExtendedLifetime(folder) {}
    }

    @Test func `scans at once on request, ignoring the pause`() async throws {
        let (isAwaited, hasLooked) = (Monitor(false), Gate())
        let folder = try TestFolder()
        _ = try folder.write([0], to: "song.mp3")
        let library = try Library(roots: [folder.path]) { folder, body in
            if isAwaited.withLock({ $0 }) { hasLooked.open() }
            return FileNames.forEachName(in: folder, body)
        }
        var configuration = OriginServer.Configuration()
        configuration.threads = 1
        let work = ThreadedWork(configuration, isHelped: { false }) { _, _ in
            OriginFailure.cancelled.response
        }
        defer { work.stop() }
        let responder = Responder(library: library)
        let keeper = LibraryScanner(responder.learner, minimumPause: .seconds(86400))
        defer { keeper.stop() }
        keeper.start(work)
        isAwaited.withLock { $0 = true }
        keeper.requestScan()
        keeper.scanNow()
        try await blocking { hasLooked.wait() }.value
        withExtendedLifetime(folder) {}
    }
}
