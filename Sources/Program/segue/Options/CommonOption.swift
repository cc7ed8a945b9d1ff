import ArgumentParser
import SegueData

/// The name, help, and completion of an option that several commands have.
///
/// A command declares it with its property: `@Option(.seed) var seed = 1`.
struct CommonOption {
    let name: NameSpecification
    let help: ArgumentHelp
    let completion: CompletionKind?

    private init(
        _ abstract: String,
        name: NameSpecification = .long,
        value: String? = nil,
        completion: CompletionKind? = nil
    ) {
        (self.name, self.completion) = (name, completion)
        help = ArgumentHelp(abstract, valueName: value)
    }

    /// The option with the default that a command has and its declaration does not show.
    func defaulting(to value: String) -> CommonOption {
        CommonOption(
            "\(help.abstract) (default: \(value))",
            name: name,
            value: help.valueName,
            completion: completion
        )
    }
}

// MARK: Data files

extension CommonOption {
    static let app = CommonOption("The app policy: a name or a YAML file.", completion: .names(of: .apps))
    static let network = CommonOption("The network: a name or a YAML file.", completion: .names(of: .networks))
    static let platform = CommonOption("The platform: a name or a YAML file.", completion: .names(of: .platforms))
    static let scenario = CommonOption("The scenario: a name or a YAML file.", completion: .names(of: .scenarios))

    static let apps = CommonOption(
        "App policies: names or YAML files.",
        value: "app[,app]",
        completion: .names(of: .apps, isList: true)
    )
    static let networks = CommonOption(
        "Networks: names or YAML files.",
        value: "network[,network]",
        completion: .names(of: .networks, isList: true)
    )
    static let platforms = CommonOption(
        "Platforms: names or YAML files.",
        value: "platform[,platform]",
        completion: .names(of: .platforms, isList: true)
    )
    static let scenarios = CommonOption(
        "Scenarios: names or YAML files.",
        value: "scenario[,scenario]",
        completion: .names(of: .scenarios, isList: true)
    )
    static let rules = CommonOption(
        "Rule files: names or YAML files; 'default' is the suite's.",
        value: "rules[,rules]",
        completion: .names(of: .rules, isList: true)
    )
    static let tags = CommonOption("Tags of the content; some rules apply only to some tags.", value: "tag[,tag]")
    static let recipes = CommonOption(
        "A folder with test media recipes. (default: the folder TestMedia of the program)",
        value: "folder",
        completion: .directory
    )
}

// MARK: The run

extension CommonOption {
    static let seed = CommonOption("The seed of everything random; the same seed gives the same result.")
    static let files = CommonOption("The number of files to process at the same time. (default: one per core)")
    static let patience = CommonOption(
        "Seconds to wait while a server sends nothing, for example because it is encoding.",
        value: "seconds"
    )
    static let profile = CommonOption(
        "The texts to check against: rfc (RFC 8216 and its successor's draft), apple (also Apple's specification), all."
    )
    static let strict = CommonOption("Also exit with 1 for findings that should be fixed.")
    static let allowedHost = CommonOption(
        "A further host name that requests may use, beside the addresses of this machine; may be repeated.",
        value: "name"
    )
    static let history = CommonOption("The history of runs, an SQLite file.", value: "file", completion: .file())
}

// MARK: Output

extension CommonOption {
    static let json = CommonOption("Write the results to a JSON file.", value: "file", completion: .file())
    static let junit = CommonOption("Write the results to a JUnit XML file.", value: "file", completion: .file())
    static let picture = CommonOption("Draw the result to FILE.svg or FILE.png.", value: "file", completion: .file())
    static let eventLogs = CommonOption(
        "Write the event log of each case (JSON Lines) to a folder.",
        value: "folder",
        completion: .directory
    )
    static let quiet = CommonOption("Print only errors and failures.")
}

// MARK: Declarations

extension Option where Value: ExpressibleByArgument {
    init(wrappedValue: Value, _ common: CommonOption) {
        self.init(
            wrappedValue: wrappedValue,
            name: common.name,
            help: common.help,
            completion: common.completion
        )
    }

    init(_ common: CommonOption) {
        self.init(name: common.name, help: common.help, completion: common.completion)
    }
}

extension Option {
    init<Wrapped: ExpressibleByArgument>(_ common: CommonOption) where Value == Wrapped? {
        self.init(name: common.name, help: common.help, completion: common.completion)
    }

    init<Element: ExpressibleByArgument>(wrappedValue: [Element], _ common: CommonOption) where Value == [Element] {
        self.init(
            wrappedValue: wrappedValue,
            name: common.name,
            help: common.help,
            completion: common.completion
        )
    }
}

extension Flag where Value == Bool {
    init(wrappedValue: Bool, _ common: CommonOption) {
        self.init(wrappedValue: wrappedValue, name: common.name, help: common.help)
    }
}
