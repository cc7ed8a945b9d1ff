import Foundation
import SegueTestSupport
import Testing

@Suite struct `Order` {
    @Test func `the same request gives the same bytes in any order, from any server`()
        async throws
    {
        let tools = Checkout.path("Tools/run")
        let outcome = try await Program.run(
            "timeout",
            ["600", "env", "SEGUE=\(Program.path)", "python3", tools, "bench", "orders"]
        )
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains(/orders: 120 segments, .* 0 differ/))
    }
}
