internal import SegueComparison

extension CaseResult {
    /// A sentence that explains why a case has no timeline.
    package var whyNoPicture: String {
        let first = findings.first
        switch first.flatMap({ Finding.Own(rawValue: $0.rule) }) {
        case .crash, .hang, .memory:
            return
                "No timeline: the worker process ended before it wrote the log."
        case .notRun, .noServer: return "No timeline: the case was not run (\(first?.rule ?? ""))."
        case .needs, .unplayable, .unopened, .refused:
            return "No timeline: nothing was played (\(first?.rule ?? ""))."
        default:
            if verdict == .skip || verdict == .broken { return "No timeline: the case was not run." }
            return
                "No timeline: the event log of the case was not stored or no longer exists (--run or --log stores it)."
        }
    }
}
