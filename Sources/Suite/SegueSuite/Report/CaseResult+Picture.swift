extension CaseResult {
    /// Why there is no picture of the case where its story is not known, in a sentence for people.
    package var whyNoPicture: String {
        let first = findings.first
        switch first.flatMap({ Finding.Own(rawValue: $0.rule) }) {
        case .crash, .hang, .memory:
            return
                "No picture: the process that ran the file's cases was ended before it had written down what happened."
        case .notRun, .noServer: return "No picture: the case was not run (\(first?.rule ?? ""))."
        case .needs, .unplayable, .unopened, .refused:
            return "No picture: nothing was played (\(first?.rule ?? ""))."
        default:
            if verdict == .skip || verdict == .broken { return "No picture: the case was not run." }
            return "No picture: the case's event log was not kept, or is not there any more (--run or --log keeps it)."
        }
    }
}
