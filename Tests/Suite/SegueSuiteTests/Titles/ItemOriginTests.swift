import SegueConcurrency
import SegueFFmpeg
import SegueOrigin
import SeguePackager
import SegueTestSupport
import Testing

@testable import SegueSuite

@Suite struct `The server of one file` {
    @Test func `opens it once for all callers`() throws {
        let folder = try TestFolder()
        let path = try folder.write(ToneFile.bytes, to: "tone.wav")
        let origin = try ItemOrigin(path: Array(path.utf8), device: .any, cancellation: Cancellation())
        defer { origin.close() }
        let presentation = try origin.presentation()
        _ = try origin.get(origin.playlist(of: .background))
        #expect(try origin.presentation() === presentation)
        let metrics = origin.respond(to: OriginRequest(target: "/metrics"), Cancellation())
        guard case .bytes(let bytes) = metrics.body else {
            Issue.record("no metrics")
            return
        }
        #expect(String(decoding: bytes, as: UTF8.self).contains("presentations_open 1\n"))
    }

    @Test func `reports why a file without media cannot be opened`() throws {
        let folder = try TestFolder()
        let path = try folder.write([UInt8](repeating: 7, count: 5000), to: "noise.mp4")
        let origin = try ItemOrigin(path: Array(path.utf8), device: .any, cancellation: Cancellation())
        defer { origin.close() }
        let error = #expect(throws: PackagingError.self) { try origin.presentation() }
        #expect(error?.reason == .notMedia)
    }
}

/// A second of silence.
private enum ToneFile {
    static var bytes: [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
        let samples = [UInt8](repeating: 0, count: 2 * 8000)
        let format = little(1, 2) + little(1, 2) + little(8000, 4) + little(16000, 4) + little(2, 2) + little(16, 2)
        return Array("RIFF".utf8) + little(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + little(format.count, 4)
            + format
            + Array("data".utf8) + little(samples.count, 4) + samples
    }
}
