// swift-tools-version: 6.2
import PackageDescription

// In order: products, traits, packages, the modules by area, the program, the C targets, the tests.
//
// Areas depend on each other in one direction only:
// Base < Network < HLS < {Player, Media} < Server < Suite < Program. `Sources` and `Tests` have a folder for each.

enum Area: String {
    case base = "Base"
    case network = "Network"
    case hls = "HLS"
    case player = "Player"
    case media = "Media"
    case server = "Server"
    case suite = "Suite"
    case program = "Program"
}

/// The modules that the tests spend most of their time in.
///
/// With SEGUE_FAST_TESTS=1, as ci/test sets it, they are optimized in debug builds. Unsafe flags may not be part of a
/// package that others depend on, so they are not the default.
let busy: Set = [
    "SegueBase", "SegueConformance", "SegueContainers", "SegueFFmpeg", "SegueFetch", "SegueNetworkModel",
    "SeguePackager", "SeguePlayerModel", "SeguePlaylists", "SegueSearch",
]
let isFast = Context.environment["SEGUE_FAST_TESTS"] == "1"

func module(
    _ name: String,
    in area: Area,
    _ dependencies: [Target.Dependency] = [],
    settings: [SwiftSetting]? = nil
) -> Target {
    .target(
        name: name,
        dependencies: dependencies,
        path: "Sources/\(area.rawValue)/\(name)",
        swiftSettings: isFast && busy.contains(name) ? optimized : settings
    )
}

func tests(
    _ name: String,
    in area: Area,
    _ dependencies: [Target.Dependency],
    exclude: [String] = []
) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies,
        path: "Tests/\(area.rawValue)/\(name)",
        exclude: exclude
    )
}

func support(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/Support/\(name)")
}

func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, path: "Tests/Support/\(name)")
}

/// C code of the project, or a module map for a system library.
func c(_ name: String, in area: Area, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/\(area.rawValue)/\(name)")
}

func systemLibrary(_ name: String, in area: Area, pkgConfig: String?, apt: String...) -> Target {
    .systemLibrary(
        name: name,
        path: "Sources/\(area.rawValue)/\(name)",
        pkgConfig: pkgConfig,
        providers: [.apt(apt)]
    )
}

/// A product that only the program needs.
///
/// A package that turns the trait off does not resolve it.
func ofProgram(_ name: String, package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Program"]))
}

let argumentParser = ofProgram("ArgumentParser", package: "swift-argument-parser")
let crypto = ofProgram("Crypto", package: "swift-crypto")
let cryptoExtras = ofProgram("CryptoExtras", package: "swift-crypto")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let grdb = ofProgram("GRDB", package: "GRDB.swift")
let heap: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let httpTypes: Target.Dependency = .product(name: "HTTPTypes", package: "swift-http-types")
let hummingbird = ofProgram("Hummingbird", package: "hummingbird")
let hummingbirdHTTP2 = ofProgram("HummingbirdHTTP2", package: "hummingbird")
let hummingbirdTLS = ofProgram("HummingbirdTLS", package: "hummingbird")
let mustache = ofProgram("Mustache", package: "swift-mustache")
let subprocess = ofProgram("Subprocess", package: "swift-subprocess")
let systemPackage = ofProgram("SystemPackage", package: "swift-system")
let webSocket = ofProgram("NIOWebSocket", package: "swift-nio")
let x509 = ofProgram("X509", package: "swift-certificates")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

// These modules compute audio and video sample by sample. Without optimization, tests that decode whole files take
// minutes.
let optimized: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "segue",
    products: [
        .executable(name: "segue", targets: ["segue"]),
        .library(name: "SegueCurl", targets: ["SegueCurl"]),
        .library(name: "SegueHLS", targets: ["SegueHLS"]),
        .library(name: "SegueLink", targets: ["SegueLink"]),
        .library(name: "SegueMedia", targets: ["SegueMedia"]),
        .library(name: "SeguePlayer", targets: ["SeguePlayer"]),
        .library(name: "SegueRecord", targets: ["SegueRecord"]),
        .library(name: "SegueTime", targets: ["SegueTime"]),
        .library(name: "SegueTimeTesting", targets: ["SegueTimeTesting"]),
        .library(name: "SegueTimeXCTest", targets: ["SegueTimeXCTest"]),
        .library(name: "SegueXML", targets: ["SegueXML"]),
    ],
    traits: [
        .trait(name: "Program", description: "The program segue and its tests. The libraries do not need it."),
        .default(enabledTraits: ["Program"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0", traits: ["FullFoundation"]),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        // For the documentation. No target depends on it, so packages that use a library do not resolve it.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // Base
        module("SegueBase", in: .base, [heap]),
        module("SegueByteCoding", in: .base, ["CSegueLibCrypto", "CSegueLibZ"]),
        module("SegueCharts", in: .base, ["SegueBase", "SegueEvents"]),
        module("SegueConcurrency", in: .base, ["CSegueSystem"]),
        module("SegueData", in: .base, ["SegueBase", yams]),
        module("SegueEvents", in: .base, ["SegueBase", "SegueData"]),
        module("SegueWeb", in: .base, ["SegueBase", "SegueData", crypto, mustache]),
        module("SegueXML", in: .base, ["CSegueLibXML2"]),
        // Network
        module("SegueCurl", in: .network, ["CSegueCurl", "SegueBase", "SegueFetch", "SegueXML"]),
        module("SegueFetch", in: .network, ["SegueBase", "SegueData", "SegueEvents", "SegueNetworkModel"]),
        module("SegueLink", in: .network, ["SegueData", "SegueNetworkModel", "SegueProxy"]),
        module("SegueNetworkModel", in: .network, ["SegueBase", "SegueCharts", "SegueData", "SegueHarnessFiles"]),
        module(
            "SegueProxy",
            in: .network,
            ["CSegueSystem", "SegueBase", "SegueData", "SegueEvents", "SegueNetworkModel"]
        ),
        // HLS
        module(
            "SegueConformance",
            in: .hls,
            ["SegueBase", "SegueByteCoding", "SegueContainers", "SegueFetch", "SeguePlaylists"]
        ),
        module("SegueContainers", in: .hls),
        module(
            "SegueHLS",
            in: .hls,
            ["SegueBase", "SegueByteCoding", "SegueConformance", "SegueFetch", "SeguePlaylists"]
        ),
        module("SeguePlaylists", in: .hls, ["SegueBase", "SegueContainers"]),
        // Player
        module(
            "SeguePlayer",
            in: .player,
            [
                "SegueBase", "SegueCharts", "SegueContainers", "SegueData", "SegueEvents", "SegueFetch",
                "SegueNetworkModel", "SeguePlayerModel", "SegueSearch", "SegueTime",
            ]
        ),
        module(
            "SeguePlayerModel",
            in: .player,
            ["SegueBase", "SegueByteCoding", "SegueData", "SegueEvents", "SegueFetch", "SeguePlaylists"]
        ),
        module(
            "SegueRecord",
            in: .player,
            ["SegueBase", "SegueCurl", "SegueFetch", "SeguePlayer", "SeguePlaylists", "SegueTime"]
        ),
        module("SegueSearch", in: .player, ["SegueBase", "SegueEvents", "SegueNetworkModel"]),
        module("SegueTime", in: .player, ["CSegueTime", "SegueBase", deque]),
        module("SegueTimeTesting", in: .player, ["SegueTime"]),
        module("SegueTimeXCTest", in: .player, ["SegueTime"]),
        // Media
        module("SegueFFmpeg", in: .media, ["CSegueFFmpeg", "SegueBase", "SegueConcurrency", "SegueContainers"]),
        module(
            "SeguePackager",
            in: .media,
            ["SegueBase", "SegueConcurrency", "SegueContainers", "SegueData", "SegueFFmpeg"]
        ),
        module(
            "SegueTestMedia",
            in: .media,
            ["SegueBase", "SegueConcurrency", "SegueData", "SegueEvents", "SegueFFmpeg"],
            settings: optimized
        ),
        module(
            "SegueVerification",
            in: .media,
            [
                "SegueBase", "SegueConcurrency", "SegueConformance", "SegueFFmpeg", "SeguePackager", "SeguePlaylists",
                "SegueTestMedia",
            ],
            settings: optimized
        ),
        // Server
        module("SegueAccess", in: .server, [crypto, cryptoExtras]),
        module(
            "SegueDiscovery",
            in: .server,
            ["CSegueAvahi", "SegueBase", "SegueConcurrency", "SegueCurl", "SegueUPnP", crypto]
        ),
        module(
            "SegueMedia",
            in: .server,
            [
                "SegueConcurrency", "SegueData", "SegueFFmpeg", "SegueNetworkModel", "SegueOrigin", "SeguePackager",
                "SeguePlayer", httpTypes,
            ]
        ),
        module(
            "SegueOrigin",
            in: .server,
            [
                "SegueBase", "SegueByteCoding", "SegueConcurrency", "SegueFFmpeg", "SeguePackager", "SeguePlaylists",
                "SegueUPnP", heap, httpTypes,
            ]
        ),
        module(
            "SegueServer",
            in: .server,
            [
                "CSegueQRCode", "SegueAccess", "SegueBase", "SegueConcurrency", "SegueData", "SegueFFmpeg",
                "SegueNetworkModel", "SegueOrigin", "SegueProxy", "SegueWeb", crypto, httpTypes, hummingbird,
                hummingbirdHTTP2, hummingbirdTLS, x509,
            ]
        ),
        module(
            "SegueStores",
            in: .server,
            ["CSeguePostgres", "SegueAccess", "SegueConcurrency", "SegueFFmpeg", "SegueOrigin", "SeguePackager", grdb]
        ),
        module("SegueUPnP", in: .server, ["SegueBase", "SegueXML"]),
        module(
            "SegueWorkers",
            in: .server,
            ["CSegueSandbox", "SegueBase", "SegueConcurrency", "SegueFFmpeg", "SegueOrigin", "SeguePackager"]
        ),
        // Suite
        module("SegueComparison", in: .suite, ["SegueBase", "SegueCharts"]),
        module("SegueHistory", in: .suite, ["SegueBase", "SegueComparison", grdb]),
        module(
            "SegueLiveMonitor",
            in: .suite,
            [
                "SegueBase", "SegueConcurrency", "SegueConformance", "SegueCurl", "SegueFetch", "SegueOrigin",
                "SegueWeb",
                hummingbird,
            ]
        ),
        module(
            "SegueSuite",
            in: .suite,
            [
                "CSegueSystem", "SegueBase", "SegueByteCoding", "SegueCharts", "SegueComparison", "SegueConcurrency",
                "SegueConformance", "SegueData", "SegueEvents", "SegueFFmpeg", "SegueFetch", "SegueNetworkModel",
                "SegueOrigin", "SeguePackager", "SeguePlayerModel", "SeguePlaylists", "SegueSearch",
                "SegueVerification", "SegueWeb", deque, httpTypes, systemPackage,
            ]
        ),
        // Program
        .executableTarget(
            name: "segue",
            dependencies: [
                "SegueAccess", "SegueBase", "SegueByteCoding", "SegueCharts", "SegueComparison",
                "SegueConcurrency", "SegueConformance", "SegueCurl", "SegueData", "SegueDiscovery", "SegueEvents",
                "SegueFFmpeg", "SegueFetch", "SegueHistory", "SegueLiveMonitor", "SegueNetworkModel", "SegueOrigin",
                "SeguePackager", "SeguePlayerModel", "SeguePlaylists", "SegueProxy", "SegueSearch", "SegueServer",
                "SegueStores", "SegueSuite", "SegueTestMedia", "SegueUPnP", "SegueVerification", "SegueWeb",
                "SegueWorkers", argumentParser, subprocess, webSocket,
            ],
            path: "Sources/Program/segue"
        ),

        // C: only the modules that wrap a target import it.
        c("CSegueCurl", in: .network, ["CSegueLibCurl"]),
        c("CSegueFFmpeg", in: .media, ["CSegueLibAV", "CSegueSystem"]),
        c("CSegueSandbox", in: .base, ["CSegueLibSeccomp"]),
        c("CSegueSystem", in: .base),
        c("CSegueTime", in: .player),
        // Avahi's pkg-config flags are ones that SwiftPM rejects; the module map names what is linked.
        systemLibrary("CSegueAvahi", in: .server, pkgConfig: nil, apt: "libavahi-client-dev"),
        // libavfilter is loaded when it is first used; only its headers are needed here.
        systemLibrary(
            "CSegueLibAV",
            in: .media,
            pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
            apt: "libavformat-dev",
            "libavcodec-dev",
            "libswresample-dev",
            "libswscale-dev",
            "libavfilter-dev"
        ),
        systemLibrary("CSegueLibCrypto", in: .base, pkgConfig: "libcrypto", apt: "libssl-dev"),
        systemLibrary("CSegueLibCurl", in: .network, pkgConfig: "libcurl", apt: "libcurl4-openssl-dev"),
        systemLibrary("CSegueLibSeccomp", in: .base, pkgConfig: "libseccomp", apt: "libseccomp-dev"),
        systemLibrary("CSegueLibXML2", in: .base, pkgConfig: "libxml-2.0", apt: "libxml2-dev"),
        systemLibrary("CSegueLibZ", in: .base, pkgConfig: "zlib", apt: "zlib1g-dev"),
        systemLibrary("CSeguePostgres", in: .server, pkgConfig: "libpq", apt: "libpq-dev"),
        systemLibrary("CSegueQRCode", in: .server, pkgConfig: "libqrencode", apt: "libqrencode-dev"),

        // The data files, as a target, so that a library finds them in any package.
        .target(
            name: "SegueHarnessFiles",
            path: "Harness",
            resources: [
                "apps", "clauses", "commands", "devices", "known-issues", "networks", "platforms", "rules", "scenarios",
                "titles", "waivers",
            ].map { .copy($0) }
        ),

        // Tests
        tests("SegueBaseTests", in: .base, ["SegueBase"]),
        tests("SegueByteCodingTests", in: .base, ["SegueByteCoding", "SegueTestSupport"]),
        tests("SegueChartsTests", in: .base, ["SegueBase", "SegueCharts", "SegueEvents"]),
        tests("SegueDataTests", in: .base, ["SegueBase", "SegueData", "SegueHarnessFiles", "SegueTestSupport"]),
        tests("SegueEventsTests", in: .base, ["SegueBase", "SegueEvents", "SegueTestSupport"]),
        tests("SegueWebTests", in: .base, ["SegueTestSupport", "SegueWeb"]),
        tests("SegueXMLTests", in: .base, ["SegueXML"]),
        tests(
            "SegueCurlTests",
            in: .network,
            ["SegueBase", "SegueCurl", "SegueFetch", "SegueNetworkModel", "SegueTestSupport"]
        ),
        tests(
            "SegueFetchTests",
            in: .network,
            ["SegueBase", "SegueEvents", "SegueFetch", "SegueNetworkModel", "SegueTestSupport"]
        ),
        tests("SegueLinkTests", in: .network, ["SegueLink", "SegueProxy", "SegueTestSupport"]),
        tests(
            "SegueNetworkModelTests",
            in: .network,
            ["SegueBase", "SegueData", "SegueNetworkModel", "SegueTestSupport"],
            exclude: ["Measured"]
        ),
        tests(
            "SegueProxyTests",
            in: .network,
            [
                "SegueBase", "SegueData", "SegueEvents", "SegueFaultFuzz", "SegueNetworkModel", "SegueProxy",
                "SegueTestSupport",
            ]
        ),
        tests(
            "SegueConformanceTests",
            in: .hls,
            [
                "SegueBase", "SegueByteCoding", "SegueConformance", "SegueContainers", "SegueCurl", "SegueFetch",
                "SeguePlaylists", "SegueTestSupport",
            ]
        ),
        tests("SegueContainersTests", in: .hls, ["SegueContainers", "SegueTestSupport"]),
        tests("SeguePlaylistsTests", in: .hls, ["SegueBase", "SeguePlaylists", "SegueTestSupport"]),
        tests(
            "SeguePlayerModelTests",
            in: .player,
            [
                "SegueBase", "SegueByteCoding", "SegueContainers", "SegueData", "SegueEvents", "SegueFetch",
                "SegueNetworkModel", "SeguePlayerModel", "SeguePlaylists", "SegueTestSupport",
            ]
        ),
        tests("SegueRecordTests", in: .player, ["SegueFetch", "SegueRecord", "SegueTestSupport"]),
        tests("SegueSearchTests", in: .player, ["SegueBase", "SegueEvents", "SegueSearch"]),
        tests("SegueFFmpegTests", in: .media, ["SegueBase", "SegueConcurrency", "SegueFFmpeg", "SegueTestSupport"]),
        tests(
            "SeguePackagerTests",
            in: .media,
            ["SegueBase", "SegueConcurrency", "SegueData", "SegueFFmpeg", "SeguePackager", "SegueTestSupport"]
        ),
        tests(
            "SegueTestMediaTests",
            in: .media,
            [
                "SegueBase", "SegueConcurrency", "SegueData", "SegueEvents", "SegueFFmpeg", "SegueTestMedia",
                "SegueTestSupport",
            ]
        ),
        tests(
            "SegueVerificationTests",
            in: .media,
            [
                "SegueBase", "SegueConcurrency", "SegueConformance", "SegueFFmpeg", "SeguePackager", "SegueTestMedia",
                "SegueTestSupport", "SegueVerification",
            ]
        ),
        tests("SegueAccessTests", in: .server, ["SegueAccess"]),
        tests("SegueDiscoveryTests", in: .server, ["SegueDiscovery"]),
        tests(
            "SegueOriginTests",
            in: .server,
            [
                "SegueBase", "SegueConcurrency", "SegueConformance", "SegueFFmpeg", "SegueOrigin",
                "SegueOriginTestSupport", "SeguePackager", "SeguePlaylists", "SegueTestMedia", "SegueTestSupport",
                "SegueUPnP", httpTypes,
            ]
        ),
        tests(
            "SegueServerTests",
            in: .server,
            [
                "SegueAccess", "SegueBase", "SegueConcurrency", "SegueData", "SegueFFmpeg", "SegueNetworkModel",
                "SegueOrigin", "SegueOriginTestSupport", "SeguePackager", "SegueProxy", "SegueServer", "SegueStores",
                "SegueTestSupport", "SegueUPnP", "SegueWeb", httpTypes, hummingbird,
            ]
        ),
        tests(
            "SegueStoresTests",
            in: .server,
            ["SegueAccess", "SegueOrigin", "SeguePackager", "SegueStores", "SegueTestSupport", grdb]
        ),
        tests("SegueUPnPTests", in: .server, ["SegueBase", "SegueUPnP", "SegueXML"]),
        tests(
            "SegueWorkersTests",
            in: .server,
            [
                "SegueConcurrency", "SegueFFmpeg", "SegueOrigin", "SegueOriginTestSupport", "SeguePackager",
                "SegueTestSupport", "SegueWorkers",
            ]
        ),
        tests("SegueComparisonTests", in: .suite, ["SegueBase", "SegueComparison"]),
        tests("SegueHistoryTests", in: .suite, ["SegueBase", "SegueComparison", "SegueHistory", "SegueTestSupport"]),
        tests(
            "SegueLiveMonitorTests",
            in: .suite,
            ["SegueBase", "SegueConformance", "SegueFetch", "SegueLiveMonitor", "SegueTestSupport", "SegueWeb"]
        ),
        tests(
            "SegueSuiteTests",
            in: .suite,
            [
                "SegueBase", "SegueByteCoding", "SegueCharts", "SegueComparison", "SegueConcurrency",
                "SegueConformance", "SegueContainers", "SegueData", "SegueEvents", "SegueFFmpeg", "SegueFetch",
                "SegueHarnessFiles", "SegueNetworkModel", "SegueOrigin", "SegueOriginTestSupport", "SeguePackager",
                "SeguePlayerModel", "SegueSearch", "SegueSuite", "SegueTestMedia", "SegueTestSupport", "SegueWeb",
                httpTypes, systemPackage,
            ]
        ),
        tests(
            "SegueProgramTests",
            in: .program,
            [
                "SegueBase", "SegueConcurrency", "SegueData", "SegueFFmpeg", "SegueNetworkModel", "SegueOrigin",
                "SeguePackager", "SegueProxy", "SegueSuite", "SegueTestSupport", "segue", argumentParser, subprocess,
                webSocket,
            ]
        ),
        .testTarget(
            name: "SegueAcceptanceTests",
            dependencies: ["SegueTestSupport", "segue", subprocess, systemPackage],
            path: "Tests/Acceptance"
        ),
        // Shared by tests
        fuzzer("SegueFaultFuzz", ["SegueBase", "SegueNetworkModel", "SegueProxy"]),
        fuzzer(
            "SeguePlaylistFuzz",
            ["SegueBase", "SegueConformance", "SegueContainers", "SeguePlaylists", "SegueTestSupport"]
        ),
        support(
            "SegueOriginTestSupport",
            [
                "SegueConcurrency", "SegueFFmpeg", "SegueOrigin", "SeguePackager", "SegueTestMedia", "SegueTestSupport",
                httpTypes,
            ]
        ),
        support(
            "SegueTestSupport",
            ["CSegueLibCrypto", "SegueBase", "SegueByteCoding", "SegueEvents", "SegueFetch", "SegueNetworkModel"]
        ),
    ],
    swiftLanguageModes: [.v6]
)

let warningsAsErrors = Context.environment["CI"] != nil

for target in package.targets where [.regular, .executable, .test].contains(target.type) {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .enableUpcomingFeature("InferIsolatedConformances"),
            .enableUpcomingFeature("ImmutableWeakCaptures"),
        ] + (warningsAsErrors ? [.treatAllWarnings(as: .error)] : [])
}
