import SegueTestSupport
import Testing

/// The tools that compare Segue's verdicts with other projects' servers and players.
@Suite struct `Servers and players of others` {
    /// The output and the exit code of a tool.
    private static func tool(_ words: String...) async throws -> Program.Outcome {
        let run = ["SEGUE=\(Program.path)", "timeout", "150", "python3", Checkout.path("Tools/run")]
        return try await Program.run("env", run + words)
    }

    @Test(.timeLimit(.minutes(3)))
    func `one command watches a live stream of FFmpeg, and plays a copy of it`() async throws {
        let folder = try TestFolder()
        let others = try await Self.tool(
            "others",
            "--only",
            "FFmpeg hls, fMP4",
            "--for",
            "5s",
            "--keep",
            folder.path
        )
        #expect(others.status == 0, "\(others.output) \(others.errors)")
        #expect(others.output.contains("FFmpeg hls, fMP4: "), "\(others.output)")
        #expect(others.output.contains("0 failed; no stall"), "\(others.output)")
        #expect(!others.output.contains("regress: must"), "\(others.output)")
        // FFmpeg's stream has no dates, which only Apple's specification requires.
        #expect(!others.output.contains("live-date-given"), "\(others.output)")
        #expect(others.output.contains("1 of 1 streams were watched and played"), "\(others.output)")
    }

    @Test(.timeLimit(.minutes(3)))
    func `one command plays a planted fault in a real player and in its model`() async throws {
        let folder = try TestFolder()
        let fault = "segment-nearly-empty-376-bytes"
        let file = folder.file("measured.json")
        let breaks = try await Self.tool("breaks", fault, "--player", "chromium", "--json", file)
        // On a very busy machine, the player stalls without the fault as well, and is left out.
        #expect([0, 2].contains(breaks.status), "\(breaks.output) \(breaks.errors)")
        #expect(breaks.output.contains("\(fault): "), "\(breaks.output)")
        let table = try await Self.tool("breaks", "--table", file)
        #expect(table.output.contains("/issues/288) | `segment-readable` |"), "\(table.output)")
    }
}
