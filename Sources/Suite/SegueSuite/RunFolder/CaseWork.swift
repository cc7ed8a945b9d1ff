/// The work of a file's cases: a fixed part and a part per case.
struct CaseWork: Sendable, Equatable {
    /// The time for opening the file and comparing its content, in seconds.
    var once: Double
    /// The time per case, in seconds.
    var each: Double

    /// The time for a number of cases in one process.
    func seconds(_ count: Int) -> Double { once + each * Double(count) }
}
