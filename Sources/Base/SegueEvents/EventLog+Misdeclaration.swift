extension EventLog {
    /// The first declaration of the app that silenced or stopped its audio, with the measure that removes the problem;
    /// nil if none did.
    package var misdeclaration: String? { events.lazy.compactMap(\.kind.misdeclaration).first }
}

extension EventKind {
    /// The problem of a declaration, with the measure that removes it; nil for other events.
    package var misdeclaration: String? {
        if case .appMisdeclared(_, _, let problem, let fix) = self { "\(problem): \(fix)" } else { nil }
    }
}
