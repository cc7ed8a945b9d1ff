// swift-tools-version: 6.2
import PackageDescription

// The tests and the benchmark of the libraries for other people's tests, as those people have them: in a process of their
// own, since virtual time replaces what a whole process waits with, and without what only the program needs.
let package = Package(
    name: "LibraryTests",
    dependencies: [
        .package(name: "segue", path: "../..", traits: []),
        .package(name: "Controllers", path: "../../examples/own-player"),
    ],
    targets: [
        // What is tested to be the same each time, and measured.
        .target(name: "AppHour", dependencies: [.product(name: "SegueTime", package: "segue")]),
        .executableTarget(
            name: "LibraryBench",
            dependencies: [
                "AppHour", .product(name: "SeguePlayer", package: "segue"),
                .product(name: "SegueTime", package: "segue"),
            ]
        ),
        .testTarget(name: "SegueHLSTests", dependencies: [.product(name: "SegueHLS", package: "segue")]),
        .testTarget(
            name: "SegueTimeTests",
            dependencies: [
                "AppHour", .product(name: "SegueTime", package: "segue"),
                .product(name: "SegueTimeTesting", package: "segue"),
            ]
        ),
        .testTarget(
            name: "SegueTimeXCTestTests",
            dependencies: [
                .product(name: "SegueTime", package: "segue"), .product(name: "SegueTimeXCTest", package: "segue"),
            ]
        ),
        .testTarget(
            name: "SeguePlayerTests",
            dependencies: [
                .product(name: "Controllers", package: "Controllers"),
                .product(name: "SeguePlayer", package: "segue"), .product(name: "SegueTime", package: "segue"),
            ]
        ),
        // Servers of the packages that bring C libraries with them.
        .testTarget(
            name: "ServersTests",
            dependencies: [
                .product(name: "SegueMedia", package: "segue"), .product(name: "SeguePlayer", package: "segue"),
                .product(name: "SegueRecord", package: "segue"),
            ]
        ),
        .testTarget(
            name: "ExploreTests",
            dependencies: [
                .product(name: "SeguePlayer", package: "segue"), .product(name: "SegueTime", package: "segue"),
            ]
        ),
    ]
)
