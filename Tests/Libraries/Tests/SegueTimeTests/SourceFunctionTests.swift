import Testing

@testable import SegueTime

/// A stack names the functions of the source, also in an optimized program.
@Suite struct SourceFunctionTests {
    @Test(arguments: [
        ("AppTests.wait() -> ()", "AppTests.wait() -> ()"),
        ("(2) suspend resume partial function for AppTests.wait() async -> ()", "AppTests.wait() async -> ()"),
        ("(1) await resume partial function for AppTests.wait() async -> ()", "AppTests.wait() async -> ()"),
        (
            "function signature specialization <Arg[0] = [Closure Propagated : (A) -> B]> of "
                + "AppTests.wait((A) -> B) -> ()",
            "AppTests.wait((A) -> B) -> ()"
        ),
        (
            "generic specialization <Swift.Array<Swift.Int>> of merged AppTests.wait<A>(A) -> ()",
            "AppTests.wait<A>(A) -> ()"
        ),
        ("reabstraction thunk helper from @escaping () -> () to @escaping () -> ()", nil),
        ("partial apply forwarder for AppTests.wait() -> ()", nil),
        (
            "function signature specialization <Arg[1] = [Constant Propagated Function : closure #1 () -> () in "
                + "AppTests.wait() -> ()]> of reabstraction thunk helper from @escaping () -> ()",
            "closure #1 () -> () in AppTests.wait() -> ()"
        ),
        ("function signature specialization <Arg[0", "function signature specialization <Arg[0"),
        ("(", "("), ("", ""),
    ])
    func `a symbol belongs to a function of the source, or to none`(symbol: String, name: String?) {
        #expect(SourceFunction.name(in: symbol) == name)
    }
}
