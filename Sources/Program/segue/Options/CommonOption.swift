import ArgumentParser
import SegueData

/// The help and completion of an option that several commands have under one name.
///
/// A command declares it with its property: `@Option(.seed) var seed = 1`.
struct CommonOption {
    let help: ArgumentHelp
    let completion: CompletionKind?

    private init(
        _ abstract: String,
        value: String? = nil,
        completion: CompletionKind? = nil
    ) {
        self.completion = completion
        help = ArgumentHelp(abstract, valueName: value)
    }

    /// The option with the default that a command has and its declaration does not show.
    func defaulting(to value: String) -> CommonOption {
        CommonOption(
            "\(help.abstract) (default: \(value))",
            value: help.valueName,
            completion: completion
        )
    }
}

// MARK: Data files

extension CommonOption {
    static var app: CommonOption {
        CommonOption("The app policy: a name or a YAML file.", completion: .names(of: .apps))
    }
    static var network: CommonOption {
        CommonOption("The network: a name or a YAML file.", completion: .names(of: .networks))
    }
    static var platform: CommonOption {
        CommonOption("The platform: a name or a YAML file.", completion: .names(of: .platforms))
    }
    static var scenario: CommonOption {
        CommonOption("The scenario: a name or a YAML file.", completion: .names(of: .scenarios))
    }

    static var apps: CommonOption {
        CommonOption(
            "App policies: names or YAML files.",
            value: "app[,app]",
            completion: .names(of: .apps, isList: true)
        )
    }
    static var networks: CommonOption {
        CommonOption(
            "Networks: names or YAML files.",
            value: "network[,network]",
            completion: .names(of: .networks, isList: true)
        )
    }
    static var platforms: CommonOption {
        CommonOption(
            "Platforms: names or YAML files.",
            value: "platform[,platform]",
            completion: .names(of: .platforms, isList: true)
        )
    }
    static var scenarios: CommonOption {
        CommonOption(
            "Scenarios: names or YAML files.",
            value: "scenario[,scenario]",
            completion: .names(of: .scenarios, isList: true)
        )
    }
    static var rules: CommonOption {
        CommonOption(
            "Rule files: names or YAML files; 'default' is the suite's.",
            value: "rules[,rules]",
            completion: .names(of: .rules, isList: true)
        )
    }
    static var tags: CommonOption {
        CommonOption("Tags of the content; some rules apply only to some tags.", value: "tag[,tag]")
    }
    static var recipes: CommonOption {
        CommonOption(
            "A folder with test media recipes. (default: the folder TestMedia of the program)",
            value: "folder",
            completion: .directory
        )
    }
}

// MARK: The run

extension CommonOption {
    static var seed: CommonOption {
        CommonOption("The seed for all random values; the same seed gives the same result.")
    }
    static var files: CommonOption {
        CommonOption("The number of files to process in parallel. (default: one per core)", value: "count")
    }
    static var patience: CommonOption {
        CommonOption(
            "Seconds to wait while a server sends nothing, for example while it encodes.",
            value: "seconds"
        )
    }
    static var rate: CommonOption {
        CommonOption("The maximum number of requests per second. (default: no limit)", value: "count")
    }
    static var profile: CommonOption {
        CommonOption(
            "The texts whose requirements count: rfc (RFC 8216, its successor's draft, HTTP, and media), apple (also Apple's specification), all."
        )
    }
    static var strict: CommonOption { CommonOption("Also exit with 1 for findings that should be fixed.") }
    static var allowedHost: CommonOption {
        CommonOption(
            "An additional host name that requests may use, besides the addresses of this machine; may be repeated.",
            value: "name"
        )
    }
    static var history: CommonOption {
        CommonOption("The history of runs, an SQLite file.", value: "file", completion: .file())
    }
}

// MARK: Output

extension CommonOption {
    static var json: CommonOption {
        CommonOption("Write the results to a JSON file.", value: "file", completion: .file())
    }
    static var junit: CommonOption {
        CommonOption("Write the results to a JUnit XML file.", value: "file", completion: .file())
    }
    static var picture: CommonOption {
        CommonOption("Draw the result to FILE.svg or FILE.png.", value: "file", completion: .file())
    }
    static var eventLogs: CommonOption {
        CommonOption(
            "Write the event log of each case (JSON Lines) to a folder.",
            value: "folder",
            completion: .directory
        )
    }
    static var quiet: CommonOption { CommonOption("Print only errors and failures.") }
}

// MARK: Declarations

extension Option where Value: ExpressibleByArgument {
    init(wrappedValue: Value, _ common: CommonOption) {
        self.init(
            wrappedValue: wrappedValue,
            help: common.help,
            completion: common.completion
        )
    }

    init(_ common: CommonOption) {
        self.init(help: common.help, completion: common.completion)
    }
}

extension Option {
    init<Wrapped: ExpressibleByArgument>(_ common: CommonOption) where Value == Wrapped? {
        self.init(help: common.help, completion: common.completion)
    }

    init<Element: ExpressibleByArgument>(wrappedValue: [Element], _ common: CommonOption) where Value == [Element] {
        self.init(
            wrappedValue: wrappedValue,
            help: common.help,
            completion: common.completion
        )
    }
}

extension Flag where Value == Bool {
    init(wrappedValue: Bool, _ common: CommonOption) {
        self.init(wrappedValue: wrappedValue, help: common.help)
    }
}
