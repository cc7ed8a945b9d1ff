internal import Foundation
internal import SegueBase
internal import SegueData
internal import SegueFetch
internal import SeguePlaylists
internal import SegueVerification

/// The defaults of a list's titles.
struct TitleDefaults {
    let background: String?
    let headers: [Title.Header]
    let credential: FetchCredential?
    let selection: CaseSelection
    let tags: [String]
    let budgets: [Budget]
    let allowance: ContentAllowance
    let profile: RequirementProfile?

    init(_ fields: inout HarnessFields, _ text: inout TitleText, root: String?) throws(HarnessError) {
        background = try fields.text("background")
        headers = try Title.headers(&fields, &text)
        credential = try Title.credential(&fields, &text)
        selection = try CaseSelection(&fields)
        tags = try fields.oneOrMoreTexts("tags")
        budgets =
            try fields.fields("budgets").map { fields throws(HarnessError) in try Budget.budgets(in: fields) } ?? []
        allowance = try ContentAllowance().changed(by: &fields)
        profile = try RequirementProfile(&fields)
    }
}

extension Title {
    private static let longestName = 200

    init(
        _ source: HarnessFields,
        text: inout TitleText,
        defaults usual: TitleDefaults,
        folder: String,
        root: String?
    ) throws(HarnessError) {
        var fields = source
        let name = try fields.requiredText("name")
        guard name.count <= Self.longestName, !name.contains(where: { $0.isNewline || $0 == "\t" }) else {
            throw fields.error("name", "must be one line of at most \(Self.longestName) characters")
        }
        let filled = try text.filled(fields.requiredText("url"), "url", of: fields)
        let place = CredentialURL(try Self.url(filled, at: "url", of: fields, without: text.secrets, root: root))
        self.init(name: name, url: place.url)
        self.place = SourcePlace(path: fields.file, line: fields.line)
        let background = try fields.text("background") ?? usual.background
        switch background {
        case nil, "found": self.background = .found
        case "audio": self.background = .audio
        case "none": self.background = .none
        case let pattern?:
            let filled = try text.filled(pattern.replacing("{url}", with: url), "background", of: fields)
            self.background = .url(
                try Self.url(filled, at: "background", of: fields, without: text.secrets, root: root)
            )
        }
        if let source = try fields.text("source") {
            let path = try text.filled(source, "source", of: fields)
            let whole = path.hasPrefix("/") ? path : folder + "/" + path
            guard FileManager.default.isReadableFile(atPath: whole) else {
                throw fields.error("source", "is \(path); no such file in \(folder)")
            }
            self.source = whole
        }
        let own = try Self.headers(&fields, &text)
        let names = own.map { $0.name.lowercased() }
        headers = usual.headers.filter { !names.contains($0.name.lowercased()) } + own
        credential = try Self.credential(&fields, &text) ?? place.credential ?? usual.credential
        if let credential { secrets.add(credential.password, as: "password") }
        allowance = try usual.allowance.changed(by: &fields)
        profile = try RequirementProfile(&fields) ?? usual.profile
        let selection = try CaseSelection(&fields)
        self.selection = CaseSelection(
            scenarios: selection.scenarios.isEmpty ? usual.selection.scenarios : selection.scenarios,
            networks: selection.networks.isEmpty ? usual.selection.networks : selection.networks
        )
        tags = usual.tags + (try fields.oneOrMoreTexts("tags"))
        let budgets = try fields.fields("budgets").map { fields throws(HarnessError) in try Budget.budgets(in: fields) }
        self.budgets =
            usual.budgets.filter { one in !(budgets ?? []).contains { $0.metric == one.metric } } + (budgets ?? [])
        try fields.finish()
    }

    /// An absolute URL; an error shows it without secrets.
    private static func url(
        _ text: String,
        at key: String,
        of fields: HarnessFields,
        without secrets: Secrets,
        root: String?
    ) throws(HarnessError) -> String {
        let whole = root.map { URIReference.resolve(text, against: $0) } ?? text
        guard FetchURL(whole) != nil else {
            let shown = secrets.removed(from: whole)
            let advice = root == nil ? ", or the list a base" : ""
            throw fields.error(key, "is \(shown), must be an http or https URL\(advice)")
        }
        return whole
    }

    static func headers(_ fields: inout HarnessFields, _ text: inout TitleText) throws(HarnessError) -> [Header] {
        var headers: [Header] = []
        for pair in try fields.pairs("headers") {
            let value = try text.filled(pair.value, "headers", of: fields)
            // The name must be a token (RFC 9110, 5.1), and the value one line.
            let isToken = pair.name.wholeMatch(of: /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/) != nil
            guard isToken, !value.contains(where: \.isNewline) else {
                throw fields.error("headers", "contain \(pair.name), which is not a valid HTTP field")
            }
            headers.append(Header(name: pair.name, value: value))
        }
        return headers
    }

    static func credential(
        _ fields: inout HarnessFields,
        _ text: inout TitleText
    ) throws(HarnessError) -> FetchCredential? {
        guard let user = try fields.text("user") else {
            if fields.has("password") { throw fields.error("password", "needs a user") }
            return nil
        }
        guard let password = try fields.text("password") else {
            throw fields.error("user", "needs a password")
        }
        return FetchCredential(
            user: try text.filled(user, "user", of: fields),
            password: try text.filled(password, "password", of: fields)
        )
    }
}

extension RequirementProfile {
    /// Reads the key `profile`; nil without it.
    fileprivate init?(_ fields: inout HarnessFields) throws(HarnessError) {
        guard let name = try fields.text("profile") else { return nil }
        guard let profile = RequirementProfile(rawValue: name) else {
            let names = RequirementProfile.allCases.map(\.rawValue).joined(separator: ", ")
            throw fields.error("profile", "is \(name), must be one of \(names)")
        }
        self = profile
    }
}

extension CaseSelection {
    fileprivate init(_ fields: inout HarnessFields) throws(HarnessError) {
        self.init(
            scenarios: try fields.oneOrMoreTexts("scenarios"),
            networks: try fields.oneOrMoreTexts("networks")
        )
    }
}

extension ServerCommands {
    /// The maximum time for a server to get ready, in seconds.
    private static let longestPatience = 3600

    /// Reads the commands of a server; nil without any.
    init?(_ fields: inout HarnessFields, _ text: inout TitleText, folder: String, root: String?) throws(HarnessError) {
        guard var own = try fields.fields("server") else { return nil }
        let start = try text.filled(own.requiredText("start"), "start", of: own)
        let ready = try own.text("ready").map { ready throws(HarnessError) in
            try text.filled(ready, "ready", of: own)
        }
        guard let url = ready.map({ ready in root.map { URIReference.resolve(ready, against: $0) } ?? ready }) ?? root,
            FetchURL(url) != nil
        else { throw own.error("ready", "must be an http or https URL that responds when the server is ready") }
        let stop = try own.text("stop").map { stop throws(HarnessError) in try text.filled(stop, "stop", of: own) }
        let patience = try own.integer("patience", in: 1...Self.longestPatience) ?? 30
        try own.finish()
        self.init(start: start, ready: url, stop: stop, patience: .seconds(patience), folder: folder)
    }
}
