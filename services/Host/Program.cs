return Emu.Hosting.ServiceCommand.Run<Emu.Services.Host>(args);
