import ArgumentParser

/// Names separated by commas.
struct NameList: ExpressibleByArgument {
    let names: [String]

    init?(argument: String) {
        names = argument.split(separator: ",").map(String.init)
        guard !names.isEmpty else { return nil }
    }

    var defaultValueDescription: String { names.joined(separator: ",") }
}
