import ArgumentParser
import SegueData

/// The option that names a file with further options.
struct ConfigOption: ParsableArguments {
    @Option(
        help: "A YAML file with options by name, such as 'network: 3g'; the command line overrides it.",
        completion: .yaml
    )
    var config: String?
}

/// A command with options that may be repeated.
protocol RepeatingOptions: ParsableCommand {
    /// The names of the options, without hyphens.
    static var repeated: Set<String> { get }
}

extension PlayCommand: RepeatingOptions {
    static var repeated: Set<String> { ["background"] }
}

extension ServeCommand: RepeatingOptions {
    static var repeated: Set<String> { ["allow-host", "allow-origin", "trust-proxy"] }
}

extension LinkCommand: RepeatingOptions {
    static var repeated: Set<String> { ["listen", "to"] }
}

/// Inserts the options of a configuration file into the arguments.
enum Configuration {
    /// Inserts the options of the file that `--config` names after the command's name.
    ///
    /// A list of values repeats the option if possible, and is joined with commas otherwise.
    ///
    /// - Throws: ``HarnessError`` if the file cannot be read or contains an invalid option.
    static func expanded(_ arguments: [String]) throws(HarnessError) -> [String] {
        // A completion request of a shell is about a command line, not one itself.
        guard let command = arguments.first, !command.hasPrefix("-"), let file = value(of: "--config", in: arguments)
        else { return arguments }
        var fields = try HarnessFile.fields(ofFileAt: file)
        let repeated = repeatedOptions(of: command)
        let known = optionNames(of: command)
        var added: [String] = []
        let folders = command == ServeCommand._commandName ? try fields.oneOrMoreTexts(foldersName) : []
        if let wrong = folders.first(where: { $0.isEmpty || $0.hasPrefix("-") }) {
            throw fields.error(foldersName, "'\(wrong)' is not a folder")
        }
        // The link command reads its links itself.
        for name in fields.names where name != "links" {
            guard known.isEmpty || known.contains(name) else {
                throw fields.error(name, "not an option of segue \(command); \(UnknownName(name, among: known).advice)")
            }
            let option = "--\(name)"
            let isGiven = arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
            let values = try fields.oneOrMoreTexts(name)
            switch values {
            case _ where isGiven, ["false"]: continue
            case ["true"]: added.append(option)
            case _ where repeated.contains(name): for value in values { added += [option, value] }
            default: added += [option, values.joined(separator: ",")]
            }
        }
        return [command] + folders + added + arguments.dropFirst()
    }

    /// The names of the options that differ between two lists of arguments, sorted and without hyphens.
    ///
    /// `old` are the arguments before, as ``expanded(_:)`` returns them. Other arguments count as ``foldersName``.
    static func changes(from old: [String], to new: [String]) -> [String] {
        let (old, new) = (values(in: old), values(in: new))
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    private static func values(in arguments: [String]) -> [String: [String]] {
        var values: [String: [String]] = [:]
        var name = foldersName
        for argument in arguments.dropFirst() {
            if argument.hasPrefix("--") {
                let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
                name = parts.first ?? foldersName
                values[name, default: []] += parts.dropFirst()
            } else {
                values[name, default: []].append(argument)
            }
        }
        return values
    }

    /// The key of the served folders, which have no name on the command line.
    private static let foldersName = "folders"

    /// The options of a command as its help lists them, without hyphens; empty for an unknown command.
    private static func optionNames(of command: String) -> [String] {
        guard let type = Segue.configuration.subcommands.first(where: { $0._commandName == command }) else { return [] }
        let own: Set = ["config", "help", "version"]
        let lines = type.helpMessage(includeHidden: true).split(separator: "\n").filter { $0.hasPrefix("  -") }
        return lines.flatMap { line -> [String] in
            let names = line.dropFirst(2)
            let end = names.firstRange(of: "  ")?.lowerBound ?? names.endIndex
            return names[..<end].matches(of: /--([a-z][a-z0-9-]*)/).map { String($0.1) }.filter { !own.contains($0) }
        }
    }

    private static func repeatedOptions(of command: String) -> Set<String> {
        let type = Segue.configuration.subcommands.first { $0._commandName == command }
        return (type as? any RepeatingOptions.Type)?.repeated ?? []
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { return nil }
            if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
        }
        return nil
    }
}
