import Access
import App
import Audio
import Cache
import Channel
import Charts
import Client
import Commands
import Common
import Comparison
import Containers
import Core
import Data
import Decoding
import Downloads
import Drawing
import Events
import Fetch
import Harness
import History
import HLS
import HTTP
import Library
import Link
import Media
import Models
import Network
import Notation
import Origin
import Packager
import Page
import Playback
import Player
import Playlists
import Profiles
import Proxy
import QRCode
import Recordings
import SegueHLS
import SegueLink
import SeguePlayer
import SegueRecord
import SegueTime
import Server
import Settings
import Story
import Timeline
import Tracks
import UI
import UPnP
import Validation
import Verification
import Workers
import Testing

/// A user's package whose targets have common names, beside the libraries.
@Suite struct `Target names` {
    /// SwiftPM rejects a package graph in which two packages have a target of the same name, so it is the build that
    /// would fail.
    private let names = [
        nameAccess, nameApp, nameAudio, nameCache, nameChannel, nameCharts, nameClient, nameCommands, nameCommon,
        nameComparison, nameContainers, nameCore, nameData, nameDecoding, nameDownloads, nameDrawing, nameEvents,
        nameFetch, nameHarness, nameHistory, nameHLS, nameHTTP, nameLibrary, nameLink, nameMedia, nameModels,
        nameNetwork, nameNotation, nameOrigin, namePackager, namePage, namePlayback, namePlayer, namePlaylists,
        nameProfiles, nameProxy, nameQRCode, nameRecordings, nameServer, nameSettings, nameStory, nameTimeline,
        nameTracks, nameUI, nameUPnP, nameValidation, nameVerification, nameWorkers,
    ]

    @Test func `targets with common names build beside the libraries`() {
        #expect(names.count >= 44)
        #expect(Set(names).count == names.count)
    }
}
