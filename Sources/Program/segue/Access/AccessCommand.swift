import ArgumentParser
import Foundation
import SegueAccess
import SegueStores

struct AccessCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "access",
        abstract: "Manages the keys and people of a server.",
        discussion: """
            A server that other machines can reach requires a key, which is part of its address. Everyone who knows \
            the address has access, with any player. The server creates a default key at its first start and prints \
            it. Create further keys for other people, so that you can revoke one without changing yours. A key may \
            be limited to folders and expire. People have a name and a password instead: they log in on the page, \
            and players ask for both.

            Changes apply immediately, also to running servers.

            Examples:
              segue access keys add guest --folder films --for 7d
              segue access keys list
              segue access keys revoke guest
              printf 'a long password' | segue access people add anna
            """,
        subcommands: [KeysCommand.self, PeopleCommand.self]
    )
}

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Creates, lists, and revokes keys.",
        subcommands: [AddKey.self, ListKeys.self, RevokeKey.self]
    )
}

struct PeopleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "people",
        abstract: "Manages people with a name and a password.",
        discussion: """
            The password is typed twice at the terminal, or read from the first line of standard input if that is \
            not a terminal, or taken from the environment variable SEGUE_PASSWORD. It is never an argument, which \
            everyone on the machine could read. It must have at least eight characters.
            """,
        subcommands: [AddPerson.self, ListPeople.self, RemovePerson.self, SetPassword.self]
    )
}

/// A command on the list of keys and people.
protocol AccessListCommand: ParsableCommand {
    var data: DataFolderOption { get }
}

extension AccessListCommand {
    /// Opens the list for an operation.
    ///
    /// - Throws: ``CommandFailure``.
    func withStore<Value>(_ work: (any AccessRecords) throws -> Value) throws -> Value {
        do {
            return try work(try data.records())
        } catch let error as AccessFailure {
            throw CommandFailure(error)
        }
    }

    /// A name that fits in a line.
    ///
    /// - Throws: ``CommandFailure`` for other names.
    func checked(name: String) throws -> String {
        let name = name.precomposedStringWithCanonicalMapping
        let isPlain = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control && $0 != ":" }
        guard !name.isEmpty, name.utf8.count <= 64, isPlain, name == name.trimmingCharacters(in: .whitespaces) else {
            throw CommandFailure("'\(name)'", "a name must have 1 to 64 bytes, no colon, and no spaces at its ends")
        }
        return name
    }

    /// The current time in seconds since 1970.
    var now: Int64 { Int64(Date().timeIntervalSince1970) }
}

/// The option that limits access to folders.
struct FolderGrant: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A folder to allow with all its subfolders, relative to the served folder; may be repeated. (default: all)",
            valueName: "folder"
        )
    )
    var folder: [String] = []

    /// The folders as stored; nil for all.
    ///
    /// - Throws: ``CommandFailure`` for an invalid folder.
    func folders() throws -> [String]? {
        guard !folder.isEmpty else { return nil }
        return try folder.map { name in
            let parts = name.split(separator: "/").map(String.init)
            let isName = parts.allSatisfy { part in
                part != "." && part != ".." && part.unicodeScalars.allSatisfy { $0 != "\n" && $0 != "\u{FFFD}" }
            }
            guard !parts.isEmpty, isName else {
                throw CommandFailure("--folder \(name)", "must be a folder within the served one, such as films/new")
            }
            return parts.joined(separator: "/")
        }
    }
}

struct AddKey: AccessListCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Creates a key and prints it once.",
        discussion: """
            Example, for a guest who may see the films for a week:
              segue access keys add guest --folder films --for 7d
            """
    )

    @Argument(help: "The name of the key.")
    var name: String

    @OptionGroup var grant: FolderGrant

    @Option(help: ArgumentHelp("The end: 2027-01-31 (the last day) or 2027-01-31T18:00:00Z.", valueName: "date"))
    var until: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("The duration: 12h, 7d, or 4w.", valueName: "time")
    )
    var period: String?

    @OptionGroup var data: DataFolderOption

    func run() throws {
        let key = AccessKey.make()
        let end = try KeyExpiry.end(until: until, for: period, now: now)
        try withStore { store in
            let grant = KeyGrant(folders: try self.grant.folders(), until: end)
            try store.add(key, name: try checked(name: name), grant: grant, now: now)
        }
        StandardOutput.write("\(key.text)\n")
        let shownEnd = end.map { ", until \(KeyExpiry.text($0))" } ?? ""
        StandardError.write("segue: append /k/\(key.text)/ to the address of the server\(shownEnd)\n")
    }
}

struct ListKeys: AccessListCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the keys without their secrets."
    )

    @OptionGroup var data: DataFolderOption

    func run() throws {
        let keys = try withStore { try $0.book().keys }
        let now = now
        let rows = keys.map { key in
            let end = key.until.map { ($0 <= now ? "ended " : "until ") + KeyExpiry.text($0) } ?? "no end"
            return [
                key.name, key.folders?.joined(separator: ", ") ?? "all folders", end,
                "created \(KeyExpiry.text(key.made))",
            ]
        }
        AccessTable.write(rows, orSay: "no keys yet; segue serve creates a default key at its first start")
    }
}

struct RevokeKey: AccessListCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revokes a key.",
        discussion: """
            A revoked default key is regenerated at the next start of a server.

            Example:
              segue access keys revoke guest
            """
    )

    @Argument(help: "The name of the key.")
    var name: String

    @OptionGroup var data: DataFolderOption

    func run() throws {
        guard try withStore({ try $0.removeKey(name) }) else {
            throw CommandFailure("key '\(name)'", "no such key; segue access keys list shows all keys")
        }
    }
}

struct AddPerson: AccessListCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Adds a person with a name and a password.",
        discussion: """
            Example:
              printf 'a long password' | segue access people add anna
            """
    )

    @Argument(help: "The name.")
    var name: String

    @OptionGroup var grant: FolderGrant

    @OptionGroup var data: DataFolderOption

    func run() throws {
        let name = try checked(name: name)
        let folders = try grant.folders()
        let password = try Password.asked(for: name)
        try withStore { store in
            try store.addPerson(name, password: .make(of: password), folders: folders, now: now)
        }
    }
}

struct ListPeople: AccessListCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "Lists the people.")

    @OptionGroup var data: DataFolderOption

    func run() throws {
        let rows = try withStore { try $0.book().people }.map { person in
            [
                person.name, person.folders?.joined(separator: ", ") ?? "all folders",
                "since \(KeyExpiry.text(person.made))",
            ]
        }
        AccessTable.write(rows, orSay: "no people yet; segue access people add NAME adds one")
    }
}

struct RemovePerson: AccessListCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Removes a person and ends their sessions."
    )

    @Argument(help: "The name.")
    var name: String

    @OptionGroup var data: DataFolderOption

    func run() throws {
        guard try withStore({ try $0.removePerson(name.precomposedStringWithCanonicalMapping) }) else {
            throw CommandFailure(
                "person '\(name)'",
                "no such person; segue access people list shows all people"
            )
        }
    }
}

struct SetPassword: AccessListCommand {
    static let configuration = CommandConfiguration(
        commandName: "password",
        abstract: "Changes the password of a person and ends their sessions."
    )

    @Argument(help: "The name.")
    var name: String

    @OptionGroup var data: DataFolderOption

    func run() throws {
        let name = name.precomposedStringWithCanonicalMapping
        guard try withStore({ try $0.book().person(name) }) != nil else {
            throw CommandFailure(
                "person '\(name)'",
                "no such person; segue access people list shows all people"
            )
        }
        let password = try Password.asked(for: name)
        _ = try withStore { try $0.setPassword(.make(of: password), of: name) }
    }
}
