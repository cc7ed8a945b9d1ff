import ArgumentParser
import Foundation
import Glibc
import SegueBase
import SegueComparison

extension RunFacts {
    /// What this process knows of the run that it begins: now, by this command line, of the revision that the CI system
    /// names, or else of the working directory's.
    ///
    /// - Parameter revision: The revision where somebody says it.
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

    /// The first line of what git says of the working directory; nil where there is no git, or nothing of it.
    private static func git(_ words: String) -> String? {
        // Bounded, as the folder may be on a disk that hangs. No task and no thread: workers are copies of this process, which take its one thread along.
        guard let pipe = popen("exec timeout 5 git \(words) 2>/dev/null </dev/null", "r") else { return nil }
        var line = [CChar](repeating: 0, count: 256)
        let isRead = fgets(&line, Int32(line.count), pipe) != nil
        guard pclose(pipe) == 0, isRead else { return nil }
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let word = text.trimmingCharacters(in: .whitespacesAndNewlines)
        return word.isEmpty ? nil : word
    }
}
