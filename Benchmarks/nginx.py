"""nginx for benchmarks: what others' servers take, and what measurements were made with."""

import pathlib
import socket
import subprocess
import time

from served import bound_to_this_process, ended, fail


class Nginx:
    """nginx on a folder, one worker, on a port that the system picks.

    Heads and bodies go in packets of their own, as is nginx's default; `joined` packs them together. With `types` it knows what
    HLS is made of, packs playlists, and lets pages of other sites have it all.
    """

    TYPES = """types { application/vnd.apple.mpegurl m3u8; video/mp2t ts; video/mp4 mp4 m4s; audio/aac aac; audio/ac3 ac3;
                       text/vtt vtt; application/octet-stream bin; }
               gzip on; gzip_vary on; gzip_min_length 0; gzip_types application/vnd.apple.mpegurl text/vtt;
               add_header Access-Control-Allow-Origin * always;
               map $uri $kept { ~\\.m3u8$ no-cache; default max-age=60; } add_header Cache-Control $kept;"""

    def __init__(self, folder, address="127.0.0.1", joined=False, types=False):
        with socket.socket() as probe:
            probe.bind((address, 0))
            self.port = probe.getsockname()[1]
        work = pathlib.Path(folder) / "nginx"
        work.mkdir(exist_ok=True)
        (work / "nginx.conf").write_text(f"""
            daemon off; master_process off; pid {work}/pid; error_log {work}/error;
            worker_rlimit_nofile 20000; events {{ worker_connections 16000; }}
            http {{
                {self.TYPES if types else ''}
                access_log off; sendfile on; tcp_nopush {'on' if joined else 'off'}; keepalive_requests 1000000;
                client_body_temp_path {work}/a; proxy_temp_path {work}/b; fastcgi_temp_path {work}/c;
                uwsgi_temp_path {work}/d; scgi_temp_path {work}/e;
                server {{ listen {address}:{self.port}; root {folder}; }}
            }}""")
        self.process = subprocess.Popen(["nginx", "-e", f"{work}/error", "-c", f"{work}/nginx.conf"],
                                        preexec_fn=bound_to_this_process())
        for _ in range(200):
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=60).close()
                return
            except OSError:
                time.sleep(0.05)
        fail("nginx did not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.terminate()
        ended(self.process)
