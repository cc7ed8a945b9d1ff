import Foundation
import SegueData
import SegueNetworkModel
import Testing

@Suite struct `Rate trace` {
    /// The course of rates of a network with this trace.
    private static func course(_ text: String, format: String? = nil) throws -> RateCourse {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try text.write(to: folder.appending(path: "t.txt"), atomically: true, encoding: .utf8)
        let format = format.map { ", format: \($0)" } ?? ""
        let yaml = "name: n\nup: {}\ndown: { rate: { trace: t.txt\(format) } }"
        let profile = try LinkProfile(yaml: yaml, file: folder.appending(path: "n.yaml").path)
        guard case .changing(let course) = profile.down.rate else { throw HarnessError(file: "", message: "constant") }
        return course
    }

    private static func step(_ milliseconds: Int64, _ bitsPerSecond: Int64) -> RateCourse.Step {
        RateCourse.Step(start: milliseconds * 1_000_000, bitsPerSecond: bitsPerSecond)
    }

    @Test func `reads Sabre's durations and rates`() throws {
        let course = try Self.course(
            """
            [
                {"duration_ms": 1013, "bandwidth_kbps": 1285, "latency_ms": 100},
                {"duration_ms": 500, "bandwidth_kbps": 0, "latency_ms": 100},
                {"duration_ms": 1000.5, "bandwidth_kbps": 0.5}
            ]
            """
        )
        #expect(course.steps == [Self.step(0, 1_285_000), Self.step(1013, 0), Self.step(1513, 500)])
        #expect(course.period == 2_513_500_000)
    }

    @Test func `reads Pensieve's rates since the previous line`() throws {
        let course = try Self.course("0.0\t9.5\n1.5 2.25\r\n2.0\t0\n3.0 1\n\n")
        #expect(course.steps == [Self.step(0, 2_250_000), Self.step(1500, 0), Self.step(2000, 1_000_000)])
        #expect(course.period == 3_000_000_000)
        let late = try Self.course("0.474 3\n0.905 4\n")
        #expect(late.steps == [Self.step(0, 3_000_000), Self.step(474, 4_000_000)])
    }

    @Test func `reads Mahimahi's opportunities as 1500 bytes in the preceding millisecond`() throws {
        let course = try Self.course("1\n1\n2\n5\n6\n")
        #expect(
            course.steps == [
                Self.step(0, 24_000_000), Self.step(1, 12_000_000), Self.step(2, 0), Self.step(4, 12_000_000),
            ]
        )
        #expect(course.period == 6_000_000)
        // Five times 1500 bytes in 6 ms.
        #expect(course.mean == 10_000_000)
        #expect(try Self.course("0\n2\n").steps == [Self.step(0, 0), Self.step(1, 24_000_000)])
    }

    @Test func `detects the format unless it is named`() throws {
        #expect(throws: HarnessError.self) { try Self.course("1\n2\n", format: "pensieve") }
        #expect(throws: HarnessError.self) { try Self.course("1 2\n2 2\n", format: "mahimahi") }
        #expect(throws: HarnessError.self) { try Self.course("1 2\n2 2\n", format: "ns3") }
    }

    @Test(arguments: [
        ("", "t.txt: is empty"),
        ("\n\n", "t.txt: is empty"),
        ("1 2\n2\n", "t.txt:2: must be a time in seconds and a rate in Mbit/s"),
        ("1 2\n2 x\n", "t.txt:2: the rate is x, must be a number"),
        ("1 2\n2 nan\n", "t.txt:2: the rate is nan, must be a number"),
        ("1 2\n2 -1\n", "t.txt:2: the rate is -1, must not be negative"),
        ("1 2\n1 3\n", "t.txt:2: the time must be later than the line before"),
        ("1 2\n\n2 3\n", "t.txt:2: is empty; a trace must not have gaps"),
        ("1 2\n2 3\n3 3\n33 3\n", "t.txt:4: covers 30.0 s; a trace must not have gaps"),
        ("0 2\n1 0\n2 0\n", "t.txt: is 0 throughout"),
        ("0 2\n", "t.txt: has no second line"),
        ("5\n3\n", "t.txt:2: must not be earlier than the line before"),
        ("5\n-6\n", "t.txt:2: is -6, must be a whole number of milliseconds from 0 to 1000000000"),
        ("5\n6.5\n", "t.txt:2: is 6.5, must be a whole number of milliseconds from 0 to 1000000000"),
        ("0\n0\n", "t.txt: must end later than at 0 ms"),
        ("[]", "t.txt: has no entries"),
        ("[1]", "t.txt:1: [0]: must be a mapping of keys"),
        (
            "[\n{\"duration_ms\": 5, \"bandwidth_kbps\": -1}]",
            "t.txt:2: [0].bandwidth_kbps: must be from 0 to 1000000000"
        ),
        (
            "[{\"duration_ms\": 5, \"bandwidth_kbps\": 1},\n{\"duration_ms\": 0, \"bandwidth_kbps\": 1}]",
            "t.txt:2: [1].duration_ms: must be above zero, and at most 1000000000"
        ),
        ("[{\"duration_ms\": 5}]", "t.txt:1: [0].bandwidth_kbps: is missing"),
        ("[{\"duration_ms\": 5, \"bandwidth_kbps\": 0}]", "t.txt: is 0 throughout"),
    ])
    func `rejects an invalid trace with file and line`(text: String, description: String) {
        let error = #expect(throws: HarnessError.self) { try Self.course(text) }
        #expect(error?.description == description)
    }
}
