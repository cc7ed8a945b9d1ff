import ArgumentParser
import Harness

/// The option that names a file with further options.
struct ConfigOption: ParsableArguments {
    @Option(help: "A YAML file with options by name, such as 'network: 3g'; those on the command line win.")
    var config: String?
}

/// Puts the options of a configuration file among the arguments.
enum Configuration {
    /// Puts the options of the file that `--config` names, if any, right after the command's name.
    ///
    /// - Parameter arguments: The arguments, without the program's name.
    /// - Returns: All arguments.
    /// - Throws: ``HarnessError`` when the file cannot be read or holds something that is no option's value.
    static func expanded(_ arguments: [String]) throws(HarnessError) -> [String] {
        guard let command = arguments.first, let file = value(of: "--config", in: arguments) else { return arguments }
        var fields = try HarnessFile.fields(ofFileAt: file)
        var added: [String] = []
        // Links are read by their own command.
        for name in fields.names where name != "links" {
            let option = "--\(name)"
            let isGiven = arguments.contains { $0 == option || $0.hasPrefix(option + "=") }
            let values = try fields.oneOrMoreTexts(name)
            switch values {
            case _ where isGiven, ["false"]: continue
            case ["true"]: added.append(option)
            default: added += [option, values.joined(separator: ",")]
            }
        }
        return [command] + added + arguments.dropFirst()
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
