// swift-tools-version: 6.2
import PackageDescription

/// A product that only the program needs: who uses a library, and turns the trait off, does not even resolve it.
func ofProgram(_ name: String, package: String) -> Target.Dependency {
    .product(name: name, package: package, condition: .when(traits: ["Program"]))
}

let argumentParser = ofProgram("ArgumentParser", package: "swift-argument-parser")
let deque: Target.Dependency = .product(name: "DequeModule", package: "swift-collections")
let collections: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let webSocket = ofProgram("NIOWebSocket", package: "swift-nio")
let grdb = ofProgram("GRDB", package: "GRDB.swift")
let crypto = ofProgram("Crypto", package: "swift-crypto")
let cryptoExtras = ofProgram("CryptoExtras", package: "swift-crypto")
let hummingbird = ofProgram("Hummingbird", package: "hummingbird")
let hummingbirdHTTP2 = ofProgram("HummingbirdHTTP2", package: "hummingbird")
let hummingbirdTLS = ofProgram("HummingbirdTLS", package: "hummingbird")
let mustache = ofProgram("Mustache", package: "swift-mustache")
let systemPackage = ofProgram("SystemPackage", package: "swift-system")
let x509 = ofProgram("X509", package: "swift-certificates")
let subprocess = ofProgram("Subprocess", package: "swift-subprocess")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

// Signals and pictures are computed sample by sample; without optimisation the tests that decode whole files take
// minutes.
let optimised: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

let package = Package(
    name: "segue",
    products: [
        .executable(name: "segue", targets: ["segue"]),
        .library(name: "HTTPFetch", targets: ["HTTPFetch"]),
        .library(name: "SegueHLS", targets: ["SegueHLS"]),
        .library(name: "SegueLink", targets: ["SegueLink"]),
        .library(name: "SegueMedia", targets: ["SegueMedia"]),
        .library(name: "SeguePlayer", targets: ["SeguePlayer"]),
        .library(name: "SegueRecord", targets: ["SegueRecord"]),
        .library(name: "SegueTime", targets: ["SegueTime"]),
        .library(name: "SegueTimeTesting", targets: ["SegueTimeTesting"]),
        .library(name: "SegueTimeXCTest", targets: ["SegueTimeXCTest"]),
    ],
    traits: [
        .trait(name: "Program", description: "The program segue and its tests; the libraries do without it."),
        .default(enabledTraits: ["Program"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
        // For Tools/run docs. No target asks for it, so that who uses a library does not even resolve it.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
    ],
    targets: [
        // The wall: C libraries and the shims for their macros.
        .systemLibrary(
            name: "CLibAV",
            // libavfilter is loaded when it is needed; only its headers are asked for.
            pkgConfig: "libavformat libavcodec libavutil libswresample libswscale",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavfilter-dev"])
            ]
        ),
        .target(name: "CFFmpeg", dependencies: ["CLibAV"]),
        .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CCurl", dependencies: ["CLibCurl"]),
        .systemLibrary(name: "CLibZ", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CLibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CLibSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .target(name: "CSandbox", dependencies: ["CLibSeccomp"]),
        .target(name: "CKernel"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // Without pkg-config, whose flags for Avahi SwiftPM does not let pass; the module map says what is linked.
        .systemLibrary(name: "CAvahi", providers: [.apt(["libavahi-client-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CQRCode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),

        // The rooms, in the order of a byte's journey.
        .target(name: "Notation"),
        .testTarget(name: "NotationTests", dependencies: ["Notation"]),
        .target(name: "Drawing", dependencies: ["Notation"]),
        .target(name: "Timeline", dependencies: [collections]),
        .testTarget(name: "TimelineTests", dependencies: ["Timeline"]),
        .target(name: "CSegueTime"),
        .target(name: "SegueTime", dependencies: ["CSegueTime", "Timeline", deque]),
        .target(
            name: "SeguePlayer",
            dependencies: [
                "Events", "Exploration", "Fetch", "Harness", "Link", "MadeStreams", "Notation", "Player", "Profiles",
                "Recordings", "SegueTime", "Story", "Timeline", "Wishes",
            ]
        ),
        .target(name: "Recordings"),
        .testTarget(name: "RecordingsTests", dependencies: ["Recordings", "TestSupport"]),
        .target(name: "SegueTimeTesting", dependencies: ["SegueTime"]),
        .target(name: "SegueTimeXCTest", dependencies: ["SegueTime"]),
        .target(name: "Events", dependencies: ["Notation", "Timeline"]),
        .testTarget(name: "EventsTests", dependencies: ["Events", "Timeline"]),
        .target(name: "Wishes", dependencies: ["Events", "Notation", "Timeline"]),
        .testTarget(name: "WishesTests", dependencies: ["Events", "Timeline", "Wishes"]),
        .target(name: "Exploration", dependencies: ["Events", "Link", "Notation", "Timeline"]),
        .testTarget(name: "ExplorationTests", dependencies: ["Events", "Exploration", "Timeline"]),
        .target(name: "Harness", dependencies: ["Timeline", yams]),
        // The data files themselves, so that a library finds them wherever it is used.
        .target(
            name: "HarnessData",
            path: "Harness",
            resources: [
                "apps", "commands", "devices", "known-issues", "networks", "platforms", "rules", "scenarios", "titles",
                "waivers",
            ].map { .copy($0) }
        ),
        .testTarget(name: "HarnessTests", dependencies: ["Harness", "HarnessData", "TestSupport", "Timeline"]),
        .target(name: "Containers"),
        .target(name: "MadeStreams"),
        .testTarget(name: "ContainersTests", dependencies: ["Containers", "TestSupport"]),
        .target(name: "HLS", dependencies: ["Containers", "Notation", "Timeline"]),
        .testTarget(name: "HLSTests", dependencies: ["HLS", "TestSupport", "Timeline"]),
        .target(name: "Channel", dependencies: ["HLS", "Notation", "Timeline"]),
        .testTarget(name: "ChannelTests", dependencies: ["Channel", "HLS", "Timeline"]),
        .target(name: "Commands", dependencies: ["HLS", "Notation", "Origin", "Timeline"]),
        .testTarget(
            name: "CommandsTests",
            dependencies: [
                "Commands", "HTTPHosts", "HarnessData", "Origin", "OriginTestSupport", "Packager", "Synthesis",
                "TestSupport",
            ]
        ),
        .target(name: "Conformance", dependencies: ["Cipher", "Containers", "HLS", "Notation", "Timeline"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: ["Cipher", "Conformance", "Containers", "HLS", "MadeStreams", "TestSupport", "Timeline"]
        ),
        .target(
            name: "Validation",
            dependencies: ["Conformance", "Fetch", "HLS", "Timeline"]
        ),
        .testTarget(
            name: "ValidationTests",
            dependencies: ["Conformance", "CurlFetch", "Fetch", "MadeStreams", "TestSupport", "Validation"]
        ),
        .target(
            name: "SegueHLS",
            dependencies: ["Compression", "Conformance", "Fetch", "HLS", "LiveWatch", "Timeline", "Validation"]
        ),
        .target(name: "LiveWatch", dependencies: ["Conformance", "HLS", "Notation", "Timeline"]),
        .testTarget(name: "LiveWatchTests", dependencies: ["Conformance", "HLS", "LiveWatch", "Timeline"]),
        .target(
            name: "LiveWatching",
            dependencies: ["Conformance", "CurlFetch", "Fetch", "LiveWatch", "Recordings", "Timeline"]
        ),
        .testTarget(
            name: "LiveWatchingTests",
            dependencies: ["Conformance", "LiveWatch", "LiveWatching", "Recordings", "TestSupport", "Timeline"]
        ),
        .target(name: "LiveWatchServer", dependencies: ["HTTPHosts", "LiveWatching", hummingbird]),
        .target(name: "Decoding", dependencies: ["Conformance", "HLS", "Media", "Timeline", "Validation"]),
        .testTarget(
            name: "DecodingTests",
            dependencies: ["Conformance", "Decoding", "Media", "TestSupport", "Timeline", "Validation"]
        ),
        .target(name: "Media", dependencies: ["CFFmpeg", "CKernel", "Timeline"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "TestSupport", "Timeline"]),
        .target(name: "Synthesis", dependencies: ["Harness", "Media", "Timeline"], swiftSettings: optimised),
        .testTarget(
            name: "SynthesisTests",
            dependencies: ["Harness", "Media", "Synthesis", "TestSupport", "Timeline"]
        ),
        .target(name: "Observation", dependencies: ["Events", "Notation", "Timeline"]),
        .testTarget(name: "ObservationTests", dependencies: ["Events", "Observation", "Timeline"]),
        .target(
            name: "Observing",
            dependencies: ["Media", "Observation", "Synthesis", "Timeline"],
            swiftSettings: optimised
        ),
        .testTarget(
            name: "ObservingTests",
            dependencies: ["Media", "Observation", "Observing", "Synthesis", "TestSupport", "Timeline"]
        ),
        .target(name: "Packager", dependencies: ["Containers", "Harness", "Media", "Timeline"]),
        .testTarget(
            name: "PackagerTests",
            dependencies: ["Harness", "Media", "Packager", "TestSupport", "Timeline"]
        ),
        .target(name: "IndexStore", dependencies: ["CSQLite", "Media", "Packager"]),
        .testTarget(
            name: "IndexStoreTests",
            dependencies: ["IndexStore", "Media", "Packager", "TestSupport", "Timeline"]
        ),
        .target(name: "HTTPHosts"),
        .testTarget(name: "HTTPHostsTests", dependencies: ["HTTPHosts"]),
        .target(name: "UPnP", dependencies: ["Notation"]),
        .testTarget(name: "UPnPTests", dependencies: ["Timeline", "UPnP"]),
        .target(name: "Discovery", dependencies: ["CAvahi", "HTTPFetch", "Media", "Timeline", "UPnP", crypto]),
        .testTarget(name: "DiscoveryTests", dependencies: ["Discovery", "TestSupport", "UPnP"]),
        .target(name: "Access", dependencies: [crypto, cryptoExtras]),
        .testTarget(name: "AccessTests", dependencies: ["Access"]),
        .target(name: "AccessStore", dependencies: ["Access", grdb]),
        .target(name: "AccessTestSupport", dependencies: ["Access"], path: "Tests/AccessTestSupport"),
        .testTarget(
            name: "AccessStoreTests",
            dependencies: ["Access", "AccessStore", "AccessTestSupport", "TestSupport"]
        ),
        .target(name: "Postgres", dependencies: ["CPostgres"]),
        .target(name: "QRCode", dependencies: ["CQRCode"]),
        .testTarget(name: "QRCodeTests", dependencies: ["QRCode"]),
        .target(name: "Compression", dependencies: ["CLibZ"]),
        .testTarget(name: "CompressionTests", dependencies: ["Compression", "TestSupport"]),
        .target(
            name: "Origin",
            dependencies: [
                "Channel", "Compression", "HLS", "HTTPHosts", "Media", "Notation", "Packager", "Timeline", "UPnP",
            ]
        ),
        .testTarget(
            name: "OriginTests",
            dependencies: [
                "Channel", "Conformance", "HLS", "HTTPHosts", "Media", "Notation", "Origin", "OriginTestSupport",
                "Packager", "TestSupport", "Timeline", "UPnP",
            ]
        ),
        .target(
            name: "OriginTestSupport",
            dependencies: ["Media", "Origin", "Packager", "Synthesis", "TestSupport"],
            path: "Tests/OriginTestSupport"
        ),
        .target(name: "Workers", dependencies: ["CSandbox", "Media", "Origin", "Packager", "Timeline"]),
        .testTarget(
            name: "WorkersTests",
            dependencies: [
                "Media", "Origin", "OriginTestSupport", "Packager", "TestSupport", "Timeline", "Workers", "segue",
            ]
        ),
        .target(name: "ResumeStore", dependencies: ["Origin", grdb]),
        .testTarget(name: "ResumeStoreTests", dependencies: ["Origin", "ResumeStore", "TestSupport"]),
        .target(name: "SharedStores", dependencies: ["Access", "Origin", "Postgres"]),
        .testTarget(
            name: "SharedStoresTests",
            dependencies: ["Access", "AccessTestSupport", "Origin", "Postgres", "SharedStores", "TestSupport"]
        ),
        .target(
            name: "OriginServer",
            dependencies: [
                "Access", "HTTPHosts", "Media", "Notation", "Origin", "QRCode", "Timeline", crypto, hummingbird,
                hummingbirdHTTP2, hummingbirdTLS, mustache, x509,
            ]
        ),
        .testTarget(
            name: "OriginServerTests",
            dependencies: [
                "Access", "AccessStore", "Media", "Origin", "OriginServer", "OriginTestSupport", "TestSupport",
                hummingbird,
            ]
        ),
        .target(name: "Link", dependencies: ["Drawing", "Harness", "Notation", "Timeline"]),
        .testTarget(name: "LinkTests", dependencies: ["Harness", "Link", "Timeline"], exclude: ["Measured"]),
        .target(name: "CSockets"),
        .target(name: "Proxy", dependencies: ["CSockets", "Events", "Harness", "Link", "Timeline"]),
        .target(
            name: "ProxyControl",
            dependencies: ["HTTPHosts", "Harness", "Link", "Notation", "Proxy", "Timeline", hummingbird]
        ),
        .testTarget(
            name: "ProxyControlTests",
            dependencies: ["HTTPHosts", "Harness", "Link", "Proxy", "ProxyControl", "Timeline"]
        ),
        .testTarget(
            name: "ProxyTests",
            dependencies: ["Events", "FaultFuzz", "Harness", "Link", "Proxy", "TestSupport", "Timeline"]
        ),
        .executableTarget(
            name: "PlaylistFuzz",
            dependencies: ["Conformance", "HLS", "MadeStreams", "TestSupport", "Timeline"],
            path: "Tests/PlaylistFuzz"
        ),
        .executableTarget(name: "FaultFuzz", dependencies: ["Link", "Proxy", "Timeline"], path: "Tests/FaultFuzz"),
        .target(name: "Profiles", dependencies: ["Harness", "HarnessData", "Link"]),
        .target(name: "SegueLink", dependencies: ["Harness", "Link", "Profiles", "Proxy"]),
        .testTarget(name: "SegueLinkTests", dependencies: ["Proxy", "SegueLink"]),
        .target(name: "Fetch", dependencies: ["Events", "Harness", "Link", "Notation", "Timeline"]),
        .testTarget(name: "FetchTests", dependencies: ["Events", "Fetch", "Link", "TestSupport", "Timeline"]),
        .target(name: "CurlFetch", dependencies: ["CCurl", "Fetch", "Timeline"]),
        .testTarget(name: "CurlFetchTests", dependencies: ["CurlFetch", "Fetch", "Link", "TestSupport", "Timeline"]),
        .target(name: "HTTPFetch", dependencies: ["CurlFetch", "Fetch", "Timeline"]),
        .testTarget(
            name: "HTTPFetchTests",
            dependencies: ["CurlFetch", "Fetch", "HTTPFetch", "TestSupport", "Timeline"]
        ),
        .target(name: "StreamRecording", dependencies: ["Fetch", "HLS", "HTTPFetch", "Recordings", "Timeline"]),
        .testTarget(
            name: "StreamRecordingTests",
            dependencies: ["Recordings", "StreamRecording", "TestSupport"]
        ),
        .target(
            name: "SegueMedia",
            dependencies: ["Harness", "Media", "Origin", "Packager", "Profiles", "SeguePlayer"]
        ),
        .target(name: "SegueRecord", dependencies: ["Recordings", "SeguePlayer", "SegueTime", "StreamRecording"]),
        .target(name: "Story", dependencies: ["Drawing", "Events", "Notation", "Timeline"]),
        .testTarget(name: "StoryTests", dependencies: ["Events", "Story", "Timeline"]),
        .target(name: "Cipher", dependencies: ["CLibCrypto"]),
        .testTarget(name: "CipherTests", dependencies: ["Cipher"]),
        .target(name: "Conditions", dependencies: ["Events", "Harness", "Timeline"]),
        .testTarget(name: "ConditionsTests", dependencies: ["Conditions", "Harness", "Timeline"]),
        .target(
            name: "Player",
            dependencies: ["Cipher", "Conditions", "Events", "Fetch", "HLS", "Harness", "Notation", "Timeline"]
        ),
        .testTarget(
            name: "PlayerTests",
            dependencies: [
                "Cipher", "Conditions", "Events", "Fetch", "HLS", "Harness", "Link", "MadeStreams", "Player",
                "TestSupport", "Timeline",
            ]
        ),
        .target(
            name: "Verification",
            dependencies: ["Media", "Notation", "Packager", "Synthesis", "Timeline"],
            swiftSettings: optimised
        ),
        .testTarget(
            name: "VerificationTests",
            dependencies: ["Media", "Packager", "Synthesis", "TestSupport", "Timeline", "Verification"]
        ),
        .target(name: "Comparison", dependencies: ["Drawing", "Notation"]),
        .testTarget(name: "ComparisonTests", dependencies: ["Comparison", "Notation"]),
        .target(name: "History", dependencies: ["Comparison", "Notation", grdb]),
        .testTarget(name: "HistoryTests", dependencies: ["Comparison", "History", "Notation", "TestSupport"]),
        .target(name: "CProcess"),
        .target(
            name: "Regression",
            dependencies: [
                "CProcess", "Cipher", "Comparison", "Compression", "Conditions", "Events", "Exploration", "Fetch",
                "HLS", "Harness", "Link", "Media", "Notation", "Origin", "Packager", "Player", "Story", "Synthesis",
                "Timeline", "Verification", "Wishes", systemPackage,
            ]
        ),
        .testTarget(
            name: "RegressionTests",
            dependencies: [
                "Cipher", "Comparison", "Conditions", "Events", "Fetch", "Harness", "HarnessData", "Link",
                "MadeStreams", "Media", "Notation", "Origin", "Packager", "Player", "Regression", "Story", "Synthesis",
                "TestSupport",
                "Timeline",
                "Verification",
            ]
        ),
        .executableTarget(
            name: "segue",
            dependencies: [
                "Access", "AccessStore", "CProcess", "Commands", "Comparison", "Compression", "Conformance",
                "CurlFetch",
                "Decoding", "Discovery",
                "Drawing",
                "Events", "Fetch", "HLS", "HTTPFetch", "HTTPHosts", "Harness", "History", "IndexStore", "Link",
                "LiveWatch", "LiveWatchServer", "LiveWatching", "Media", "Notation", "Observation", "Observing",
                "Origin", "OriginServer",
                "Packager",
                "Player", "Proxy", "ProxyControl", "QRCode", "Recordings", "Regression", "ResumeStore", "SharedStores",
                "Story", "Synthesis", "Timeline", "UPnP", "Validation", "Workers",
                argumentParser,
                subprocess,
                webSocket,
            ]
        ),
        .testTarget(
            name: "SegueTests",
            dependencies: [
                "Conformance", "Fetch", "Harness", "Link", "Media", "Packager", "Proxy", "TestSupport", "Timeline",
                "segue", argumentParser, subprocess, webSocket,
            ]
        ),
        .testTarget(name: "AcceptanceTests", dependencies: ["TestSupport", "segue", subprocess, systemPackage]),
        .target(
            name: "TestSupport",
            dependencies: ["CLibCrypto", "Compression", "Events", "Fetch", "Link", "Timeline"],
            path: "Tests/TestSupport"
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
