using Emu.Compiler.Layouts;

namespace Emu.Compiler.Dialect;

/// <summary>The parts of a program that are the same for all services: how frames come and go.</summary>
internal static class ProgramText
{
    /// <summary>The names that they use.</summary>
    public static IReadOnlyList<string> Reserved { get; } =
    [
        "length", "ingress", "time", "user", "row", "left", "limit", "isTooLong", "isTagged", "frameOffset", "seconds",
        "secondsEnd", "rest", "digits", "step", "sendLength", "sendPorts", "resume", "ReadFrame", "WriteFrame", "Main",
        "Send", "Bit", "Parity", "CountOnes", "LeadingZeros", "TrailingZeros", "OnesSum", "Kiwi", "KiwiSystem",
        .. Enumerable.Range(0, StatePorts.Lanes).Select(lane => $"lane{lane}"),
    ];

    /// <summary>The ports: two streams of 64 bits.</summary>
    public static string Ports => """
        [Kiwi.InputWordPort("s_axis_tdata")] private static ulong s_axis_tdata;
        [Kiwi.InputWordPort("s_axis_tkeep")] private static byte s_axis_tkeep;
        [Kiwi.InputWordPort("s_axis_tuser_low")] private static ulong s_axis_tuser_low;
        [Kiwi.InputWordPort("s_axis_tuser_high")] private static ulong s_axis_tuser_high;
        [Kiwi.InputBitPort("s_axis_tlast")] private static bool s_axis_tlast;
        [Kiwi.InputBitPort("s_axis_tvalid")] private static bool s_axis_tvalid;
        [Kiwi.OutputBitPort("s_axis_tready")] private static bool s_axis_tready;

        [Kiwi.OutputWordPort("m_axis_tdata")] private static ulong m_axis_tdata;
        [Kiwi.OutputWordPort("m_axis_tkeep")] private static byte m_axis_tkeep;
        [Kiwi.OutputWordPort("m_axis_tuser_low")] private static ulong m_axis_tuser_low;
        [Kiwi.OutputWordPort("m_axis_tuser_high")] private static ulong m_axis_tuser_high;
        [Kiwi.OutputBitPort("m_axis_tlast")] private static bool m_axis_tlast;
        [Kiwi.OutputBitPort("m_axis_tvalid")] private static bool m_axis_tvalid;
        [Kiwi.InputBitPort("m_axis_tready")] private static bool m_axis_tready;
        """;

    /// <summary>The text before the class's members.</summary>
    public static string Head(string service) => $$"""
        // {{service}} as a program of the clock level, in Kiwi's dialect; written by emu compile --with kiwic.
        // A frame is received into memory, worked on there, and sent: one state machine, a pause a clock edge.
        // tuser of a frame's first beat: 15:0 its length, 23:16 the port it came from, 31:24 the ports it leaves by,
        // a bit each, the even ones MAC ports; 95:32 the time of arrival in nanoseconds.
        using KiwiSystem;

        public static class {{service}}
        """;

    /// <summary>The state that belongs to the frame.</summary>
    public static string FrameState(ulong? divisor) => """

        // What is known of the frame.
        private static uint length, ingress, row, left, frameOffset, sendLength, resume;
        private static ulong time, user, sendPorts;
        private static bool isTooLong, isTagged;
        """ + (divisor is { } by ? $"""


        // The time divided by {by}, and the time at which that changes.
        private static ulong seconds, secondsEnd = {by}, rest, digits;
        private static uint step;
        """ : "");

    /// <summary>Takes a frame, and decides whether it is an event.</summary>
    public static string Receive(HardwareOptions options, int rows, ulong? divisor)
    {
        var tags = string.Join(" || ", VlanTag.Types.Select(tag => $"type == 0x{(ushort)(tag << 8 | tag >> 8):X}"));
        var lanes = string.Join("\n        ", Enumerable.Range(0, StatePorts.Lanes).Select(lane =>
            $"lane{lane}[row] = (byte){(lane == 0 ? "s_axis_tdata" : $"(s_axis_tdata >> {8 * lane})")};"));
        return $$"""
            // Receives a frame: a beat in each cycle in which one is there.
            s_axis_tready = true;
            row = 0;
            isTooLong = false;
            do
            {
                Kiwi.Pause();
                if (s_axis_tvalid)
                {
                    if (row == 0)
                    {
                        user = s_axis_tuser_low;
                        time = (s_axis_tuser_low >> 32) | (s_axis_tuser_high << 32);
                    }
                    if (row == 1)
                    {
                        uint type = (uint)(s_axis_tdata >> 32) & 0xFFFF;
                        isTagged = {{tags}};
                    }
                    {{lanes}}
                    length = (row << 3) + CountOnes(s_axis_tkeep);
                    if (row == {{rows - 1}}) isTooLong = true;
                    else row = row + 1;
                }
            }
            while (!s_axis_tvalid || !s_axis_tlast);
            s_axis_tready = false;

            // A frame of a wrong length, or from no port, is no event.
            Kiwi.Pause();
            uint limit = {{options.Capacity - VlanTag.Length}};
            if (isTagged) limit = {{options.Capacity}};
            if (isTooLong || length < {{FrameLength.Header}} || length > limit || (user & 0x550000) == 0) continue;
            ingress = 0;
            if ((user & 0x040000) != 0) ingress = 1;
            if ((user & 0x100000) != 0) ingress = 2;
            if ((user & 0x400000) != 0) ingress = 3;
            """ + (divisor is { } by ? "\n\n" + Divide(by) : "");
    }

    /// <summary>Divides the time anew when the quotient of the frame before is over.</summary>
    private static string Divide(ulong divisor) => $$"""
        // The time divided by {{divisor}}, bit by bit, where the quotient of the frame before is over.
        Kiwi.Pause();
        if (time >= secondsEnd)
        {
            rest = 0;
            digits = time;
            seconds = 0;
            for (step = 0; step < 64; step = step + 1)
            {
                Kiwi.Pause();
                rest = (rest << 1) | (digits >> 63);
                digits = digits << 1;
                seconds = seconds << 1;
                if (rest >= {{divisor}})
                {
                    rest = rest - {{divisor}};
                    seconds = seconds | 1;
                }
            }
            secondsEnd = time + ({{divisor}} - rest);
        }
        """;

    /// <summary>Sends a frame, and goes on behind a copy; the label is before it.</summary>
    public static string Send(IReadOnlyList<string> resumed, int rows)
    {
        var word = string.Join(
            "\n        | ", Enumerable.Range(0, StatePorts.Lanes).Reverse().Select(lane =>
                lane == 0 ? "lane0[row]" : $"((ulong)lane{lane}[row] << {8 * lane})"));
        var cases = string.Concat(resumed.Select((label, i) => $"\n    case {i + 1}: goto {label};"));
        return $$"""
            // Sends the frame, or a copy: a beat in each cycle in which it is taken.
            Kiwi.Pause();
            left = sendLength;
            row = 0;
            if ((sendPorts & 15) == 0) left = 0;
            m_axis_tuser_low = sendLength | (user & 0xFF0000) | ((sendPorts & 1) << 24) | ((sendPorts & 2) << 25)
                | ((sendPorts & 4) << 26) | ((sendPorts & 8) << 27) | (time << 32);
            m_axis_tuser_high = time >> 32;
            while (left != 0)
            {
                m_axis_tdata = {{word}};
                m_axis_tkeep = 0xFF;
                if (left < 8) m_axis_tkeep = (byte)(0xFF >> (int)(8 - left));
                m_axis_tlast = left <= 8;
                m_axis_tvalid = true;
                row = (row + 1) & {{rows - 1}};
                if (left <= 8) left = 0;
                else left = left - 8;
                do
                {
                    Kiwi.Pause();
                }
                while (!m_axis_tready);
            }
            m_axis_tvalid = false;
            m_axis_tlast = false;
            """ + (resumed.Count == 0 ? "" : $$"""

            switch (resume)
            {{{cases}}
            }
            """);
    }
}
