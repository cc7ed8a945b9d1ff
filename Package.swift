// swift-tools-version: 6.2
import PackageDescription

let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")
let collections: Target.Dependency = .product(name: "HeapModule", package: "swift-collections")
let crypto: Target.Dependency = .product(name: "Crypto", package: "swift-crypto")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")

let package = Package(
    name: "segue",
    products: [
        .executable(name: "segue", targets: ["segue"])
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        // The wall: C libraries and the shims for their macros.
        .systemLibrary(
            name: "CLibAV",
            pkgConfig: "libavformat libavcodec libavutil libswresample libswscale libavfilter",
            providers: [
                .apt(["libavformat-dev", "libavcodec-dev", "libswresample-dev", "libswscale-dev", "libavfilter-dev"])
            ]
        ),
        .target(name: "CFFmpeg", dependencies: ["CLibAV"]),
        .systemLibrary(name: "CLibCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CCurl", dependencies: ["CLibCurl"]),

        // The rooms, in the order of a byte's journey.
        .target(name: "Timeline", dependencies: [collections]),
        .testTarget(name: "TimelineTests", dependencies: ["Timeline"]),
        .target(name: "Harness", dependencies: ["Timeline", yams]),
        .testTarget(name: "HarnessTests", dependencies: ["Harness", "TestSupport"]),
        .target(name: "HLS", dependencies: ["Timeline"]),
        .testTarget(name: "HLSTests", dependencies: ["HLS"]),
        .target(name: "Media", dependencies: ["CFFmpeg", "Timeline"]),
        .testTarget(name: "MediaTests", dependencies: ["Media", "TestSupport"]),
        .target(name: "Synthesis", dependencies: ["Harness", "Media", "Timeline"]),
        .testTarget(name: "SynthesisTests", dependencies: ["Synthesis", "Media", "TestSupport"]),
        .target(name: "Packager", dependencies: ["Media", "Timeline"]),
        .testTarget(name: "PackagerTests", dependencies: ["Packager", "Synthesis", "TestSupport"]),
        .target(name: "Origin", dependencies: ["Packager", "HLS", "Timeline", hummingbird, mustache]),
        .testTarget(name: "OriginTests", dependencies: ["Origin", "Synthesis", "TestSupport"]),
        .target(name: "Link", dependencies: ["Harness", "Timeline"]),
        .testTarget(name: "LinkTests", dependencies: ["Link"]),
        .target(name: "Fetch", dependencies: ["CCurl", "Link", "Timeline"]),
        .testTarget(name: "FetchTests", dependencies: ["Fetch", "TestSupport"]),
        .target(name: "Player", dependencies: ["Fetch", "Harness", "HLS", "Timeline"]),
        .testTarget(name: "PlayerTests", dependencies: ["Player", "TestSupport"]),
        .target(name: "Regression", dependencies: ["Fetch", "HLS", "Harness", "Link", "Media", "Origin", "Packager", "Player", "Synthesis", "Timeline"]),
        .testTarget(name: "RegressionTests", dependencies: ["Regression", "TestSupport"]),
        .executableTarget(name: "segue", dependencies: ["Regression", argumentParser]),
        .testTarget(name: "AcceptanceTests", dependencies: ["TestSupport"]),
        .target(name: "TestSupport", path: "Tests/TestSupport"),
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
