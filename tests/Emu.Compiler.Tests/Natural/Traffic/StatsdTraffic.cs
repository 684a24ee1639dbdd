using static Emu.Compiler.Tests.Pieces;

namespace Emu.Compiler.Tests;

internal static class StatsdTraffic
{
    public static byte[] Metric(string text) =>
        Link.IPv4(IP("10.0.0.1"), IP("10.0.0.2")).Udp(33000, 8125).Payload(text).PaddedTo(60);

    public static IEnumerable<(int, byte[])> Frames()
    {
        string[] bad = ["web.requests", "web.requests:|c", "a:1|x", "bad name:1|c", "a:1.2.3|g", "a:1|c|@7", ":3|c",
            "", "a:1|ms|!"];
        for (var i = 0; i < 90; i++)
        {
            yield return (0, (i % 9) switch
            {
                0 => Metric("web.requests:1|c"),
                1 => Metric($"db.latency:{i * 17 % 900}.{i}|ms|@0.1"),
                2 => Metric($"queue.depth:-{i}|g\nqueue.depth:+{i}|g\n"),
                3 => Metric($"users.unique:{i * 7919}|s|#region:eu,host:web{i}"),
                4 => Metric(string.Join('\n', Enumerable.Range(0, 5 + i % 20)
                    .Select(n => $"app.module{n}.time_{i}:{n * 3}.25|h|@0.5"))),
                5 => Metric(string.Join('\n', Enumerable.Range(0, 3).Select(n => $"a/b-c.{n}:{i}|c")) + "\n\n"),
                6 => Metric(bad[i / 9 % bad.Length]),
                7 => Metric("ok.metric:1|c\n" + bad[(i / 9 + 3) % bad.Length] + "\nok.metric:2|c"),
                _ => Background(i),
            });
        }
    }
}
