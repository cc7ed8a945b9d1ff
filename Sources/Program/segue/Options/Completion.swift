import ArgumentParser
import SegueData

extension CompletionKind {
    /// The names of a kind of data file, or comma-separated lists of them.
    static func names(of kind: HarnessFolder.Kind, isList: Bool = false) -> CompletionKind {
        names(isList: isList) { (try? ProgramData.harness().names(of: kind)) ?? [] }
    }

    /// Names, or comma-separated lists of them.
    static func names(isList: Bool = false, _ names: @escaping @Sendable () -> [String]) -> CompletionKind {
        .custom { _, _, word in NameCompletion.words(among: names(), for: word, isList: isList) }
    }

    static var yaml: CompletionKind { .file(extensions: ["yaml", "yml"]) }
}
