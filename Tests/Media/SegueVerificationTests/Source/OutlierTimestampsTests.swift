import Testing

@testable import SegueVerification

@Suite struct `Stray times` {
    private static let times: [(said: [Double?], believed: [Double?])] = [
        ([0, 0.04, 0.08], [0, 0.04, 0.08]), ([nil, 0.04, nil], [nil, 0.04, nil]),
        // The same once more; one far away, before and behind, at the end; some in a row.
        ([0, 0, 0.08], [0, nil, 0.08]), ([0, 100, 0.08], [0, nil, 0.08]), ([50, -100, 50.08], [50, nil, 50.08]),
        ([0, 0.04, 100], [0, 0.04, 100]), ([0] + far(8) + [0.36], [0] + nils(8) + [0.36]),
        ([0] + far(9) + [0.4], [0] + far(9) + [0.4]),
        // A jump that lasts; frames in another order.
        ([0, 0.04, 100, 100.04], [0, 0.04, 100, 100.04]), ([0, 0.16, 0.08, 0.04, 0.12], [0, 0.16, 0.08, 0.04, 0.12]),
    ]

    private static func far(_ count: Int) -> [Double?] { (0..<count).map { 100 + Double($0) * 0.04 } }
    private static func nils(_ count: Int) -> [Double?] { [Double?](repeating: nil, count: count) }

    @Test(arguments: times)
    func `are those that no others near them bear out`(times: (said: [Double?], believed: [Double?])) {
        #expect(OutlierTimestamps.believable(times.said) == times.believed)
    }
}
