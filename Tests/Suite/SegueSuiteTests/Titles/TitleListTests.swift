import SegueData
import SegueFetch
import SegueSuite
import Testing

@Suite struct `Title lists` {
    private static func list(
        _ text: String,
        given: [String: String] = [:],
        environment: [String: String] = [:]
    ) throws -> TitleList {
        try TitleList(text: text, file: "t.yaml", folder: "/nowhere", given: given, environment: environment)
    }

    @Test func `a name and a URL are enough, and a base resolves relative ones`() throws {
        let list = try Self.list(
            """
            base: https://cdn.example/vod/
            titles:
              - { name: one, url: one/master.m3u8 }
              - { name: two, url: "http://other.example/two.mp4" }
            """
        )
        #expect(list.titles.map(\.url) == ["https://cdn.example/vod/one/master.m3u8", "http://other.example/two.mp4"])
        #expect(list.titles.map(\.background) == [.found, .found] && list.server == nil)
    }

    @Test func `the command line overrides variables of the list`() throws {
        let text = """
            variables: { host: staging.example, folder: "${env:FOLDER}" }
            base: https://${host}/
            titles: [{ name: one, url: "${folder}/a.m3u8" }]
            """
        let own = try Self.list(text, environment: ["FOLDER": "from-outside"])
        #expect(own.titles.first?.url == "https://staging.example/from-outside/a.m3u8")
        let given = try Self.list(text, given: ["host": "cdn.example", "folder": "f"])
        #expect(given.titles.first?.url == "https://cdn.example/f/a.m3u8")
    }

    @Test func `defaults apply unless a title overrides them`() throws {
        let list = try Self.list(
            """
            background: "{url}?background=1"
            headers: { X-Team: blue, Authorization: "Bearer ${env:TOKEN}" }
            tags: nightly
            networks: [wifi, 3g]
            budgets: { startup: 2, stalls: 0 }
            titles:
              - { name: one, url: "http://h/a.m3u8" }
              - name: two
                url: http://h/b.m3u8
                background: none
                headers: { authorization: none }
                tags: [film, ladder]
                scenarios: play-through
                networks: lan
                budgets: { startup: "< 4" }
            """,
            environment: ["TOKEN": "s3cr3t-t0ken"]
        )
        let (one, two) = (list.titles[0], list.titles[1])
        #expect(one.background == .url("http://h/a.m3u8?background=1") && two.background == .none)
        #expect(
            one.headers == [
                .init(name: "X-Team", value: "blue"), .init(name: "Authorization", value: "Bearer s3cr3t-t0ken"),
            ]
        )
        #expect(two.headers == [.init(name: "X-Team", value: "blue"), .init(name: "authorization", value: "none")])
        #expect(one.selection == CaseSelection(networks: ["wifi", "3g"]))
        #expect(two.selection == CaseSelection(scenarios: ["play-through"], networks: ["lan"]))
        #expect(one.tags == ["nightly"] && two.tags == ["nightly", "film", "ladder"])
        #expect(one.budgets.map { "\($0.metric) \($0.comparison)" } == ["startup <= 2", "stalls <= 0"])
        #expect(two.budgets.map { "\($0.metric) \($0.comparison)" } == ["stalls <= 0", "startup < 4"])
        #expect(one.secrets.removed(from: "x s3cr3t-t0ken y") == "x {TOKEN} y")
    }

    @Test func `credentials come from the list, the URL, or the environment`() throws {
        let list = try Self.list(
            """
            user: team
            password: ${env:PASSWORD}
            titles:
              - { name: one, url: "http://h/a.m3u8" }
              - { name: two, url: "http://me:mine@h/b.m3u8" }
              - { name: three, url: "http://h/c.m3u8", user: you, password: yours }
            """,
            environment: ["PASSWORD": "of the team"]
        )
        #expect(list.titles.map(\.credential?.user) == ["team", "me", "you"])
        #expect(list.titles.map(\.credential?.password) == ["of the team", "mine", "yours"])
        #expect(list.titles[1].url == "http://h/b.m3u8")
        #expect(list.titles[0].secrets.removed(from: "a?p=of%20the%20team") == "a?p={password}")
    }

    @Test func `a server is started by commands in the list's folder`() throws {
        let server = try Self.list(
            """
            base: http://127.0.0.1:8080/
            server: { start: "nginx -c n.conf", ready: health, stop: "nginx -s quit", patience: 5 }
            titles: [{ name: one, url: a.m3u8 }]
            """
        ).server
        #expect(server?.start == "nginx -c n.conf" && server?.ready == "http://127.0.0.1:8080/health")
        #expect(server?.stop == "nginx -s quit" && server?.patience == .seconds(5) && server?.folder == "/nowhere")
    }

    private static let mistakes: [(text: String, says: String)] = [
        ("titles: []", "t.yaml:1: titles: is missing"),
        (
            "title: [{ name: a, url: \"http://h/a\" }]",
            "t.yaml:1: title: is not a key here: title is unknown; did you mean titles?"
        ),
        ("titles: { name: a }", "t.yaml:1: titles: must be a list"),
        ("titles: [a]", "t.yaml:1: titles[0]: must be a mapping of keys"),
        ("titles: [{ url: \"http://h/a\" }]", "t.yaml:1: titles[0].name: is missing"),
        ("titles: [{ name: a }]", "t.yaml:1: titles[0].url: is missing"),
        (
            "titles: [{ name: a, url: a.m3u8 }]",
            "t.yaml:1: titles[0].url: is a.m3u8, must be an http or https URL, or the list a base"
        ),
        ("titles: [{ name: a, url: \"ftp://h/a\" }]", "must be an http or https URL, or the list a base"),
        ("base: h\ntitles: [{ name: a, url: a }]", "t.yaml:1: base: is h, must be an http or https URL"),
        (
            "titles:\n- { name: a, url: \"http://h/a\" }\n- { name: a, url: \"http://h/b\" }",
            "titles[1].name: is a, which another title already has"
        ),
        ("titles: [{ name: a, url: \"http://h/${x}\" }]", "uses x, but the list has no variables"),
        (
            "variables: { host: h }\ntitles: [{ name: a, url: \"http://${hots}/\" }]",
            "hots is unknown; did you mean host?"
        ),
        ("titles: [{ name: a, url: \"http://h/${x\" }]", "titles[0].url: has ${ without a closing }"),
        ("titles: [{ name: a, url: \"http://h/${env:K}\" }]", "uses K, which the environment does not define"),
        (
            "titles: [{ name: a, url: \"http://h/a\", source: no.mp4 }]",
            "is no.mp4; no such file in /nowhere"
        ),
        ("titles: [{ name: a, url: \"http://h/a\", backgroud: none }]", "did you mean background?"),
        (
            "titles: [{ name: a, url: \"http://h/a\", background: nix }]",
            "background: is nix, must be an http or https URL"
        ),
        ("titles: [{ name: a, url: \"http://h/a\", headers: [a] }]", "headers: must be a mapping of names to texts"),
        (
            "titles: [{ name: a, url: \"http://h/a\", headers: { \"a b\": c } }]",
            "contain a b, which is not a valid HTTP field"
        ),
        (
            "titles: [{ name: a, url: \"http://h/a\", headers: { a: \"b\\nc\" } }]",
            "contain a, which is not a valid HTTP field"
        ),
        ("titles: [{ name: a, url: \"http://h/a\", user: me }]", "titles[0].user: needs a password"),
        ("titles: [{ name: a, url: \"http://h/a\", password: x }]", "titles[0].password: needs a user"),
        ("titles: [{ name: a, url: \"http://h/a\", budgets: { start: 2 } }]", "did you mean startup?"),
        ("titles: [{ name: a, url: \"http://h/a\", budgets: { startup: fast } }]", "titles[0].budgets.startup: "),
        (
            "titles: [{ name: a, url: \"http://h/a\", budgets: [startup] }]",
            "titles[0].budgets: must be a mapping of keys"
        ),
        ("titles: [{ name: \"a\\nb\", url: \"http://h/a\" }]", "must be one line of at most 200 characters"),
        ("server: { ready: \"http://h/\" }\ntitles: [{ name: a, url: \"http://h/a\" }]", "server.start: is missing"),
        (
            "server: { start: x }\ntitles: [{ name: a, url: \"http://h/a\" }]",
            "server.ready: must be an http or https URL"
        ),
        (
            "server: { start: x, ready: \"http://h/\", patience: 0 }\ntitles: [{ name: a, url: \"http://h/a\" }]",
            "server.patience: is 0, must be a whole number from 1 to 3600"
        ),
        ("titles: [", "is not YAML"),
        ("", "is empty"),
    ]

    @Test(arguments: mistakes)
    func `an error is one line with its place`(text: String, says: String) throws {
        let error = try #require(throws: HarnessError.self) { try Self.list(text) }
        #expect(error.description.contains(says), "\(error)")
        #expect(!error.description.contains("\n"))
    }

    @Test func `an unknown variable is an error of the command line`() throws {
        let error = try #require(throws: HarnessError.self) {
            try Self.list("variables: { host: h }\ntitles: [{ name: a, url: \"http://h/\" }]", given: ["hots": "x"])
        }
        #expect(
            error.description
                == "t.yaml: variables: have no hots, which --set names: hots is unknown; did you mean host? Expected one of host"
        )
    }

    @Test func `a URL is a title without its keys`() {
        let title = Title(url: "https://me:secret-word@h:8080/a/b.m3u8?token=abc123")
        #expect(title.name == "https://h:8080/a/b.m3u8" && title.url == "https://h:8080/a/b.m3u8?token=abc123")
        #expect(title.credential == FetchCredential(user: "me", password: "secret-word"))
        #expect(title.secrets.removed(from: "got \(title.url)") == "got https://h:8080/a/b.m3u8?{query}")
    }

    @Test func `short texts are not secrets, and the longest is replaced first`() {
        var secrets = Secrets()
        secrets.add("abc", as: "A")
        #expect(secrets.isEmpty)
        secrets.add("abcd", as: "B")
        secrets.add("abcdef", as: "C")
        #expect(secrets.removed(from: "abc abcd abcdef") == "abc {B} {C}")
    }
}
