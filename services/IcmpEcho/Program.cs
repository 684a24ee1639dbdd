return Emu.Hosting.ServiceCommand.Run<Emu.Services.IcmpEcho>(args);
