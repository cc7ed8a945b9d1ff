import SegueTestSupport
import Testing

@Suite struct `Streams of others` {
    @Test(.timeLimit(.minutes(3)))
    func `one command watches a live stream of FFmpeg, and plays a copy of it`() async throws {
        let folder = try TestFolder()
        let words = [
            "SEGUE=\(Program.path)", "timeout", "150", "python3", Checkout.path("Tools/run"), "others",
            "--only", "FFmpeg hls, fMP4", "--for", "5s", "--keep", folder.path,
        ]
        let others = try await Program.run("env", words)
        #expect(others.status == 0, "\(others.output) \(others.errors)")
        #expect(others.output.contains("FFmpeg hls, fMP4: "), "\(others.output)")
        #expect(others.output.contains("0 failed; no stall"), "\(others.output)")
        #expect(!others.output.contains("regress: must"), "\(others.output)")
        #expect(others.output.contains("1 of 1 streams were watched and played"), "\(others.output)")
    }
}
