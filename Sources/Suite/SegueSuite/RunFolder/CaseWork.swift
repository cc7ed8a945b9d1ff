/// How much work a file's cases are: what is done once, and what each case takes.
struct CaseWork: Sendable, Equatable {
    /// Opening the file, and comparing what is delivered with it, in seconds.
    var once: Double
    /// Each case, in seconds.
    var each: Double

    /// The work of so many cases in one process.
    func seconds(_ count: Int) -> Double { once + each * Double(count) }
}
