import Foundation
import HTTPTypes
import SegueConcurrency
import SegueFFmpeg
import SegueOriginTestSupport
import SegueTestSupport
import Testing

@testable import SegueOrigin

@Suite struct `A large folder` {
    @Test func `is served before its files are scanned`() throws {
        let folder = try TestFolder()
        // A WAV file of one second of silence, and ten thousand names for it.
        let size = 16000
        let word = { (number: Int, bytes: Int) in (0..<bytes).map { UInt8(number >> (8 * $0) & 255) } }
        let format = word(1, 2) + word(1, 2) + word(8000, 4) + word(size, 4) + word(2, 2) + word(16, 2)
        let head = Array("RIFF".utf8) + word(36 + size, 4) + Array("WAVEfmt ".utf8) + word(16, 4) + format
        let wave = head + Array("data".utf8) + word(size, 4) + [UInt8](repeating: 0, count: size)
        let first = try folder.write(wave, to: "00000.wav")
        for number in 1..<10_000 {
            #expect(link(first, folder.file(String(format: "%05d.wav", number))) == 0)
        }
        let responder = Responder(library: try Library(roots: [folder.path]))
        let list = responder.respond(to: OriginRequest(target: "/api/items?limit=2&wait=0"))
        #expect(list.status == 200 && String(decoding: list.bytes, as: UTF8.self).contains("\"total\":10000"))
        let id = try #require(responder.library.items.last?.id)
        #expect(responder.respond(to: OriginRequest(target: "/items/\(id)/index.m3u8")).status == 200)
        #expect(responder.services.opener.catalogue.count <= 1)
        let stopped = Cancellation()
        stopped.cancel()
        responder.learner.learn(cancellation: stopped) { _ in Issue.record("a file is looked into") }
        #expect(responder.services.opener.catalogue.count <= 1)
    }

    @Test func `is scanned one file per request under load`() {
        let metrics = Metrics()
        let answer = OriginResponse(status: 200, headers: [:], body: .empty)
        metrics.waitForTurn(Cancellation())
        metrics.begin()
        metrics.begin()
        let cancelled = Cancellation()
        cancelled.cancel()
        metrics.waitForTurn(cancelled)
        let turn = DispatchSemaphore(value: 0)
        let later = Cancellation()
        Thread {
            metrics.waitForTurn(later)
            turn.signal()
        }.start()
        // It continues at the latest when all requests are completed, whether it waits already or not.
        metrics.end(answer)
        metrics.end(answer)
        #expect(turn.wait(timeout: .now() + 30) == .success)
    }
}
