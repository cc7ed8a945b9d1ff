import ArgumentParser
import Foundation
import Glibc
import SegueBase
import SegueComparison

extension RunFacts {
    /// The facts of the run that begins: the time, the command line, and the revision from the CI system or git.
    ///
    /// `revision` overrides the latter.
    static func ofThisRun(revision: String?) -> RunFacts {
        var facts = RunFacts()
        facts.began = UTCTime(secondsSince1970: Int64(Date().timeIntervalSince1970))
        facts.version = Segue.configuration.version
        facts.command = CommandWords.line(["segue"] + CommandLine.arguments.dropFirst())
        facts.read(environment: ProcessInfo.processInfo.environment)
        if facts.revision == nil, revision == nil {
            facts.revision = git("rev-parse HEAD")
            facts.branch = git("symbolic-ref --quiet --short HEAD")
        }
        if let revision { facts.revision = revision }
        return facts
    }

    /// The first line of a git command's output; nil without git or a repository.
    private static func git(_ words: String) -> String? {
        // The command has a timeout, since the folder may be on a disk that hangs. It uses no task and no thread: a
        // process that forks workers must have only one.
        guard let pipe = popen("exec timeout 5 git \(words) 2>/dev/null </dev/null", "r") else { return nil }
        var line = [CChar](repeating: 0, count: 256)
        let isRead = fgets(&line, Int32(line.count), pipe) != nil
        guard pclose(pipe) == 0, isRead else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return word.isEmpty ? nil : word
    }
}
