namespace Emu.Protocols.Tests;

public sealed class NtpTests
{
    /// <summary>A server's answer: version 4, stratum 1, poll 2⁶ s, precision 2⁻²⁰ s, GPS.</summary>
    private static readonly byte[] s_answer = Convert.FromHexString(
        "240106EC" + "00000000" + "00000040" + "47505300" + "E8D1C2A000000000" + "E8D1C2B180000000" + "E8D1C2B1C0000000"
        + "E8D1C2B1C0010000");

    [Fact]
    public void A_message_is_read()
    {
        var ntp = View.Ntp([.. s_answer]);
        Assert.Equal((0, 4, NtpMode.Server), (ntp.Leap, ntp.Version, ntp.Mode));
        Assert.Equal((1, 6, -20), (ntp.Stratum, ntp.Poll, ntp.Precision));
        Assert.Equal((0u, 0x40u, 0x47505300u), (ntp.RootDelay, ntp.RootDispersion, ntp.ReferenceId));
        Assert.Equal((0xE8D1C2A0_00000000UL, 0xE8D1C2B1_80000000UL), (ntp.ReferenceTimestamp, ntp.OriginTimestamp));
        Assert.Equal((0xE8D1C2B1_C0000000UL, 0xE8D1C2B1_C0010000UL), (ntp.ReceiveTimestamp, ntp.TransmitTimestamp));
    }

    [Fact]
    public void One_byte_less_is_refused() => Assert.False(Ntp.TryParse(s_answer.AsSpan(0, 47), out _));

    /// <summary>1970 is 2,208,988,800 seconds into the era that ends in 2036 (RFC 5905 figure 4).</summary>
    [Theory]
    [InlineData(0UL, 0x83AA7E80_00000000UL)]
    [InlineData(500_000_000UL, 0x83AA7E80_80000000UL)]
    [InlineData(2_085_978_495_999_999_999UL, 0xFFFFFFFF_FFFFFFFBUL)]
    [InlineData(2_085_978_496_250_000_000UL, 0x00000000_40000000UL)]
    public void A_time_is_a_timestamp_of_its_era(ulong time, ulong timestamp) =>
        Assert.Equal(timestamp, Ntp.Timestamp(time));
}
